#include "stats/trend/level_alarms.h"

#include <algorithm>
#include <utility>

namespace stepgate {
namespace {

/// Two analyses place a change at most so far apart (docs/design/statistics.md, "Series over time").
constexpr std::size_t same_change_points = 5;
/// Own choice: a slope makes a level of every few points, and those that are older than this were looked at before.
constexpr std::size_t most_changes = 8;

}  // namespace

void LevelAlarms::analyse(const SeriesFit& fit, std::size_t from, std::size_t until) {
  for (std::size_t count = std::max(from, 2 * confirmation_.limits.min_points); count <= until; ++count) {
    std::vector<FoundLevel> found = changes_found(fit, count);
    for (const FoundLevel& change : found) {
      if (change.index <= settled_ || !was_found_before(change)) continue;
      found_.push_back({change.begin, change.index, count, change.log_change});
      settled_ = change.index;
    }
    before_ = std::move(found);
  }
}

std::vector<LevelAlarms::FoundLevel> LevelAlarms::changes_found(const SeriesFit& fit, std::size_t count) const {
  std::size_t last = fit.last_begins[count - 1];
  if (last <= settled_) return {};
  std::vector<std::size_t> changes;
  for (; last > settled_ && changes.size() < most_changes; last = fit.last_begins[last - 1]) changes.push_back(last);
  changes.push_back(std::max(settled_, last));
  std::reverse(changes.begin(), changes.end());
  const std::size_t least = confirmation_.limits.min_points;
  if (changes.size() == 2 && (count - changes[1] < least || changes[1] - changes[0] < least)) return {};
  std::vector<LevelSums> levels;
  for (std::size_t i = 0; i < changes.size(); ++i)
    levels.push_back(fit.prefixes.sums(changes[i], i + 1 < changes.size() ? changes[i + 1] : count));
  levels = confirmed_levels(std::move(levels), confirmation_);
  std::vector<FoundLevel> found;
  for (std::size_t i = 1; i < levels.size(); ++i)
    found.push_back({levels[i - 1].begin, levels[i].begin, levels[i].mean - levels[i - 1].mean});
  return found;
}

bool LevelAlarms::was_found_before(const FoundLevel& change) const {
  return std::any_of(before_.begin(), before_.end(), [&](const FoundLevel& other) {
    const std::size_t apart = std::max(other.index, change.index) - std::min(other.index, change.index);
    return apart <= same_change_points && (other.log_change > 0) == (change.log_change > 0);
  });
}

}  // namespace stepgate
