// Does less of the copying to the device run beside compute than before?
#pragma once

#include <optional>

#include "diagnose/both_sides.h"

namespace stepgate {

/// The share of copying beside compute, before and now, where it fell by at least a fifth of all copying: more than its
/// scatter from run to run on an idle GPU.
inline std::optional<TimedPair> lost_copy_overlap(const JudgedComparison& input) {
  constexpr double least_loss = 0.2;
  const auto overlap = timed_pair(input, "h2d_overlap_ratio");
  return overlap && overlap->before - overlap->now >= least_loss ? overlap : std::nullopt;
}

}  // namespace stepgate
