// Why so many calls? Calls per step said in the amounts of a step: "once per token", "5 per parameter tensor".
#pragma once

#include <string>
#include <string_view>

#include "core/record/observed_work.h"
#include "diagnose/patterns/step_amounts.h"

namespace stepgate {

struct ExplainedCount {
  std::string text;       ///< "once per token", "5 per parameter tensor"; "" where no amount fits
  bool per_item = false;  ///< per sample or token: calls that a batch would save
};

/// The amount with the smallest multiple that gives this many calls; among equals the first of tokens, parameter
/// tensors, samples, layers. Multiples: up to
/// 12 of parameter tensors in the optimizer, up to 3 of the others. Below 4 calls nothing is explained: any number
/// fits.
ExplainedCount count_explained(double calls_per_step, std::string_view boundary, const StepAmounts& amounts);

/// "3.1 MiB = size of the logits", "3.1 MiB" or "" for a tensor without elements.
std::string size_explained(const ObservedTensor& tensor, const StepAmounts& amounts);

}  // namespace stepgate
