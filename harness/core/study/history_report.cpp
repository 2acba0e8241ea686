#include "core/study/history_report.h"

#include <algorithm>
#include <array>

namespace stepgate {

std::string_view name_of(ChangeState state) {
  constexpr std::array<std::string_view, 6> names = {"alert",   "acknowledged", "machine",
                                                     "waiting", "repeated",     "noted"};
  return names[static_cast<std::size_t>(state)];
}

bool has_alert(const HistoryEpoch& epoch) {
  return epoch.creep.has_value() ||
         std::any_of(epoch.changes.begin(), epoch.changes.end(),
                     [](const HistoryChange& change) { return change.state == ChangeState::alert; });
}

bool has_alert(const HistorySeries& series) {
  return std::any_of(series.epochs.begin(), series.epochs.end(),
                     [](const HistoryEpoch& epoch) { return has_alert(epoch); });
}

}  // namespace stepgate
