// The numerics pass: what the training computes, in deterministic mode. No time is taken here.
#pragma once

#include <cstdint>

#include "core/record/run_record.h"
#include "measure/step/tensor_step.h"

namespace stepgate {

/// LibTorch's deterministic mode while it lives; the settings of before come back. Operators without a deterministic
/// implementation warn and run. Does not fill uninitialised memory: that would add work and hide nothing here.
class DeterministicScope {
 public:
  DeterministicScope();
  ~DeterministicScope();
  DeterministicScope(const DeterministicScope&) = delete;
  DeterministicScope& operator=(const DeterministicScope&) = delete;

 private:
  bool algorithms_;
  bool warn_only_;
  bool fill_;
  bool cudnn_deterministic_;
  bool cudnn_benchmark_;
};

/// Runs `steps` steps of what was freshly built. Loss per step; L2 norm over the gradients of all parameters after
/// backward and before optimizer_step, summed in double precision in the order of parameters(). Digests are FNV-1a
/// over the bit patterns of the losses, and of all parameters after the last step, 16 hex digits. Without parameters()
/// no norms, and no digest of them.
/// Throws Error(usage) where `steps` is not positive.
NumericTrace run_numerics(TensorStep& step, std::int64_t steps);

}  // namespace stepgate
