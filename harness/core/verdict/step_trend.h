// How the step time of one timed process went over the steps of its e2e pass.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace stepgate {

/// Steps are compared with steps on batches of the same size only, so lengths play no part.
struct StepTrend {
  double per_step = 0;     ///< relative (natural logarithm) change of the step time from one step to the next
  std::int64_t steps = 0;  ///< steps of the pass
  /// By boundary: change of its time from one step to the next, in nanoseconds. Empty where the device runs behind the
  /// host.
  std::map<std::string, double> boundary_ns_per_step = {};
};

}  // namespace stepgate
