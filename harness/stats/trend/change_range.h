// The range in which a change may have happened.
#pragma once

#include <cstddef>
#include <span>

namespace stepgate {

/// Two neighbouring levels: points [begin, index) and [index, end).
struct LevelPair {
  std::size_t begin;
  std::size_t index;
  std::size_t end;
};

struct ChangeRange {
  std::size_t earliest;
  std::size_t latest;
};

/// Range of the first points t of the new level for which the sum of squared residuals of [begin, t) and [t, end)
/// exceeds the least one by less than 4 noise^2; it always holds `index`. How often it holds the true change:
/// docs/trend_quality.md.
ChangeRange change_range(std::span<const double> values, const LevelPair& levels, double noise);

}  // namespace stepgate
