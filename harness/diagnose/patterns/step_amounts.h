// The amounts of one step that calls may be counted in: samples, tokens, parameter tensors, layers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// Means over the observed steps; 0 where the work does not show an amount.
struct StepAmounts {
  double samples = 0;
  double positions = 0;          ///< tokens of one sample, padded
  double parameter_tensors = 0;  ///< parameter tensors that get a gradient
  double layers = 0;             ///< attention layers, else convolutions
  /// Sizes of the logits in the first observed step, without what flattens them; empty if unknown.
  std::vector<std::int64_t> logits = {};

  double tokens() const { return samples * positions; }
};

/// Read from the operands of embedding, convolution, loss and gradients.
StepAmounts step_amounts(const ObservedWork& work);

}  // namespace stepgate
