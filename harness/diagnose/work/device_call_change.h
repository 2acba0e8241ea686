// Which calls of CUDA's runtime or driver a step makes more or less often than the baseline says, or which other parts
// of a metric that have names: casts by their dtypes, kernels by family and operator.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

struct DeviceCallChange {
  std::string call;   ///< "cudaMemcpyAsync HtoD", "float32 to bfloat16", "elementwise of aten::mul"
  double change = 0;  ///< calls per step, now minus before
};

/// The changes of one metric inside a boundary, the largest rise first. Empty where either side names no calls of that
/// metric.
std::vector<DeviceCallChange> device_call_changes(const JudgedComparison& input, const std::string& metric,
                                                  const std::string& boundary);

/// "+1 cudaDeviceSynchronize, +2 cudaFree (and 3 more)", each times `factor`; "" where nothing is known.
std::string device_calls_text(const std::vector<DeviceCallChange>& changes, double factor);

/// " (elementwise of aten::mul)": what launches most of the own kernels or library calls that these boundaries have
/// more;
/// "" for other metrics, and where it is not known.
std::string added_launch_text(const JudgedComparison& input, const std::string& metric,
                              const std::vector<std::string>& boundaries);

}  // namespace stepgate
