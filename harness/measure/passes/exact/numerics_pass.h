// The numerics pass: what the training computes, in deterministic mode. It takes no times.
#pragma once

#include <cstdint>
#include <functional>

#include "core/record/run_record.h"
#include "measure/device/determinism.h"
#include "measure/step/tensor_step.h"

namespace stepgate {

struct NumericsRun {
  std::int64_t steps = 0;
  Determinism determinism = Determinism::strict;
  std::function<void(std::int64_t)> at_step_end = [](std::int64_t) {};
};

/// Runs `steps` steps of a freshly built workload and records the loss of each. The gradient norm is the L2 norm over
/// the gradients of all parameters between backward and optimizer_step, summed in double precision in the order of
/// parameters() and divided by the scale of the loss. If the step is one call, it is over the gradients that the
/// step leaves, and absent if it leaves none. The digests are FNV-1a over the bit patterns of the losses, and
/// of all parameters after the last step, as 16 hex digits. Without parameters() there are no norms and no digest of
/// parameters. Further losses are read at the end of each step. Throws Error(usage) where `steps` is not positive, and
/// where a step has other further losses than the first one. Calls `at_step_end` with the number of each step once its
/// batch and loss are released.
///
/// With Determinism::strict an operator that has no deterministic implementation throws (refuses_determinism()): build
/// the workload again and run it with Determinism::where_it_exists, which records the operators that warned.
NumericTrace run_numerics(TensorStep& step, const NumericsRun& run);

}  // namespace stepgate
