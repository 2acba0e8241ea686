// Which optimizer a step was seen to run, from the operators of its boundary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/record/observed_work.h"

namespace stepgate {

/// Updates of which LibTorch has a fused form.
enum class FusedUpdateKind { adamw, sgd };

struct OptimizerSeen {
  std::optional<FusedUpdateKind> kind;  ///< absent: no fused form fits, `refused` says why
  bool clips = false;                   ///< it takes a norm of the gradients
  bool momentum = false;                ///< SGD has momentum
  std::string refused = {};
};

/// Tells the optimizer by the calls per parameter tensor and step: Adam and AdamW divide (addcdiv_) after two moments
/// (mul_ twice or lerp_), which RMSprop and Adagrad do not have; SGD only adds: once, or with momentum twice after a
/// mul_. Sparse gradients are refused, because no fused form takes them.
OptimizerSeen optimizer_seen(const ObservedWork& work, std::int64_t parameters);

}  // namespace stepgate
