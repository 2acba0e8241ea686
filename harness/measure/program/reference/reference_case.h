// The built-in case that never changes: if its time changes, the machine changed and not the code.
#pragma once

#include <optional>

#include "measure/device/gpu_properties.h"
#include "stepgate/perftest.h"

namespace stepgate {

inline constexpr const char* reference_case_name = "reference/matmul_copy/fixed";

/// Fixed matrix products and a fixed copy, with their own step counts. `device` is "cpu" or "cuda". On a CPU a step
/// takes about 5 ms on one core of 2020. On a GPU it takes at least that; its amounts are parameters that
/// with_work_for() adds once the GPU is known.
Case reference_case(const std::string& device);

/// `test_case` with the amounts for `gpu`, if it is the reference case on a GPU; parameters that it has already win.
/// Other cases stay as they are.
Case with_work_for(const std::optional<GpuProperties>& gpu, Case test_case);

}  // namespace stepgate
