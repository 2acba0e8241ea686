#include "diagnose/time/break_even.h"

#include <cmath>

namespace stepgate {

std::optional<std::int64_t> break_even_steps(const StartAndPace& fast, const StartAndPace& twin) {
  const double lost_ns = fast.start_ns + fast.first_step_ns - twin.start_ns - twin.first_step_ns;
  if (lost_ns <= 0) return 1;
  const double won_ns = twin.step_ns - fast.step_ns;
  if (won_ns <= 0) return std::nullopt;
  return 1 + static_cast<std::int64_t>(std::ceil(lost_ns / won_ns));
}

}  // namespace stepgate
