#include "lab/trend/growing_series.h"

#include <algorithm>

namespace stepgate::lab {
namespace {

constexpr std::size_t same_change = 5;  // points

bool has_near(const std::vector<FoundChange>& changes, std::size_t place) {
  return std::any_of(changes.begin(), changes.end(), [&](const FoundChange& other) {
    return std::max(other.index, place) - std::min(other.index, place) <= same_change;
  });
}

SeriesAnalysis analyse_first(const std::vector<double>& values, std::size_t count) {
  return analyse_series({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)}, {});
}

}  // namespace

std::vector<Alarm> alarms_of(const std::vector<double>& values) {
  std::vector<Alarm> alarms;
  std::vector<FoundChange> reported;
  std::vector<FoundChange> before;
  for (std::size_t count = 1; count <= values.size(); ++count) {
    const std::vector<FoundChange> now = found_changes(analyse_first(values, count));
    for (const FoundChange& change : now) {
      if (!has_near(before, change.index) || has_near(reported, change.index)) continue;
      alarms.push_back({count, change});
      reported.push_back(change);
    }
    before = now;
  }
  return alarms;
}

std::optional<std::size_t> first_creep(const std::vector<double>& values, double creep_margin) {
  bool found_before = false;
  for (std::size_t count = 1; count <= values.size(); ++count) {
    const bool found = find_creep(analyse_first(values, count), 0, creep_margin).has_value();
    if (found && found_before) return count;
    found_before = found;
  }
  return std::nullopt;
}

}  // namespace stepgate::lab
