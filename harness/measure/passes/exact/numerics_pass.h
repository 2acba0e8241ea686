// The numerics pass: what the training computes, in deterministic mode. It takes no times.
#pragma once

#include <cstdint>
#include <functional>

#include "core/record/run_record.h"
#include "measure/step/tensor_step.h"

namespace stepgate {

/// LibTorch's deterministic mode for the lifetime of this object; the destructor restores the settings. Operators
/// without a deterministic implementation warn and run. It does not fill uninitialised memory, because that would add
/// work.
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

/// Runs `steps` steps of a freshly built workload and records the loss of each. The gradient norm is the L2 norm over
/// the gradients of all parameters between backward and optimizer_step, summed in double precision in the order of
/// parameters() and divided by the scale of the loss. If the step is one call, it is over the gradients that the
/// step leaves, and absent if it leaves none. The digests are FNV-1a over the bit patterns of the losses, and
/// of all parameters after the last step, as 16 hex digits. Without parameters() there are no norms and no digest of
/// parameters. Further losses are read at the end of each step. Throws Error(usage) where `steps` is not positive, and
/// where a step has other further losses than the first one. Calls `at_step_end` with the number of each step once its
/// batch and loss are released.
NumericTrace run_numerics(
    TensorStep& step, std::int64_t steps, const std::function<void(std::int64_t)>& at_step_end = [](std::int64_t) {});

}  // namespace stepgate
