// Changes of level as a job finds them that analyses a series after every session.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/confirmed_levels.h"
#include "stats/trend/level_sums.h"

namespace stepgate {

/// Two analyses running found it.
struct LevelAlarm {
  std::size_t begin;  ///< first point of the level before
  std::size_t index;  ///< first point of the new level
  std::size_t found;  ///< points that the series had
  double log_change;
};

/// The fits of a series up to each of its points, by one pass, and the sums of its stretches.
struct SeriesFit {
  const LevelPrefixes& prefixes;
  std::span<const std::size_t> last_begins;  ///< last_level_begins()
};

/// An analysis of the points up to each one. A change that was found within 5 points of where the analysis before found
/// it, in the same direction, is an alarm and stays: later analyses begin with its level. At most the 8 newest changes
/// of a fit are looked at.
class LevelAlarms {
 public:
  explicit LevelAlarms(const Confirmation& confirmation) : confirmation_(confirmation) {}

  /// The analyses of the first `from` points to that of the first `until` ones, by this fit. It may differ from call to
  /// call; the points of a call follow those of the call before.
  void analyse(const SeriesFit& fit, std::size_t from, std::size_t until);

  /// Oldest first.
  const std::vector<LevelAlarm>& found() const { return found_; }

 private:
  struct FoundLevel {
    std::size_t begin;
    std::size_t index;
    double log_change;
  };

  std::vector<FoundLevel> changes_found(const SeriesFit& fit, std::size_t count) const;
  bool was_found_before(const FoundLevel& change) const;

  Confirmation confirmation_;
  std::vector<LevelAlarm> found_;
  std::vector<FoundLevel> before_;  ///< by the analysis before
  std::size_t settled_ = 0;         ///< first point of the level of the last alarm
};

}  // namespace stepgate
