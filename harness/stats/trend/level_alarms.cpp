#include "stats/trend/level_alarms.h"

#include <algorithm>
#include <utility>

#include "stats/trend/optimal_segments.h"

namespace stepgate {
namespace {

/// Two analyses place a change at most so far apart (docs/design/statistics.md, "Series over time").
constexpr std::size_t same_change_points = 5;
/// Own choice: a slope makes a level of every few points, and those that are older than this were looked at before.
constexpr std::size_t most_changes = 8;

struct FoundLevel {
  std::size_t begin;
  std::size_t index;
  double log_change;
};

class GrowingSeries {
 public:
  GrowingSeries(const LevelPrefixes& prefixes, std::span<const std::size_t> last_begins,
                const Confirmation& confirmation)
      : prefixes_(prefixes), last_begins_(last_begins), confirmation_(confirmation) {}

  std::vector<LevelAlarm> alarms() {
    std::vector<LevelAlarm> alarms;
    for (std::size_t count = 2 * confirmation_.limits.min_points; count <= last_begins_.size(); ++count) {
      std::vector<FoundLevel> found = changes_found(count);
      for (const FoundLevel& change : found) {
        if (change.index <= settled_ || !was_found_before(change)) continue;
        alarms.push_back({change.begin, change.index, count, change.log_change});
        settled_ = change.index;
      }
      before_ = std::move(found);
    }
    return alarms;
  }

 private:
  std::vector<FoundLevel> changes_found(std::size_t count) const {
    std::size_t last = last_begins_[count - 1];
    if (last <= settled_) return {};
    std::vector<std::size_t> changes;
    for (; last > settled_ && changes.size() < most_changes; last = last_begins_[last - 1]) changes.push_back(last);
    changes.push_back(std::max(settled_, last));
    std::reverse(changes.begin(), changes.end());
    const std::size_t least = confirmation_.limits.min_points;
    if (changes.size() == 2 && (count - changes[1] < least || changes[1] - changes[0] < least)) return {};
    std::vector<LevelSums> levels;
    for (std::size_t i = 0; i < changes.size(); ++i)
      levels.push_back(prefixes_.sums(changes[i], i + 1 < changes.size() ? changes[i + 1] : count));
    levels = confirmed_levels(std::move(levels), confirmation_);
    std::vector<FoundLevel> found;
    for (std::size_t i = 1; i < levels.size(); ++i)
      found.push_back({levels[i - 1].begin, levels[i].begin, levels[i].mean - levels[i - 1].mean});
    return found;
  }

  bool was_found_before(const FoundLevel& change) const {
    return std::any_of(before_.begin(), before_.end(), [&](const FoundLevel& other) {
      const std::size_t apart = std::max(other.index, change.index) - std::min(other.index, change.index);
      return apart <= same_change_points && (other.log_change > 0) == (change.log_change > 0);
    });
  }

  const LevelPrefixes& prefixes_;
  std::span<const std::size_t> last_begins_;
  Confirmation confirmation_;
  std::vector<FoundLevel> before_;  ///< by the analysis before
  std::size_t settled_ = 0;         ///< first point of the level of the last alarm
};

}  // namespace

std::vector<LevelAlarm> level_alarms(const LevelPrefixes& prefixes, std::span<const std::size_t> last_begins,
                                     const Confirmation& confirmation) {
  return GrowingSeries(prefixes, last_begins, confirmation).alarms();
}

}  // namespace stepgate
