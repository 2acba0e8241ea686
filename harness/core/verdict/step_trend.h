// How the step time of one timed process went over the steps of its e2e pass.
#pragma once

#include <cstdint>

namespace stepgate {

/// Steps are compared with steps on batches of the same size only, so lengths play no part.
struct StepTrend {
  double per_step = 0;     ///< relative (natural logarithm) change of the step time from one step to the next
  std::int64_t steps = 0;  ///< steps of the pass
};

}  // namespace stepgate
