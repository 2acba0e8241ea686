// Changes of level as a job finds them that analyses a series after every session.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/confirmed_levels.h"
#include "stats/trend/level_sums.h"

namespace stepgate {

/// Two analyses running found it. It follows from the points up to `found` alone (but for the penalty and the filter of
/// the whole series), so that points to come do not take it back.
struct LevelAlarm {
  std::size_t begin;  ///< first point of the level before
  std::size_t index;  ///< first point of the new level
  std::size_t found;  ///< points that the series had
  double log_change;
};

/// An analysis of the points up to each one, by the fits of one pass (last_level_begins()). A change that was found
/// within 5 points of where the analysis before found it, in the same direction, is an alarm and stays: later analyses
/// begin with its level. At most the 8 newest changes of a fit are looked at.
std::vector<LevelAlarm> level_alarms(const LevelPrefixes& prefixes, std::span<const std::size_t> last_begins,
                                     const Confirmation& confirmation);

}  // namespace stepgate
