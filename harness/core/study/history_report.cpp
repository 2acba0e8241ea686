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
  return (epoch.drift && !epoch.drift->machine) ||
         std::any_of(epoch.changes.begin(), epoch.changes.end(),
                     [](const HistoryChange& change) { return change.state == ChangeState::alert; });
}

bool has_alert(const HistorySeries& series) {
  return std::any_of(series.epochs.begin(), series.epochs.end(),
                     [](const HistoryEpoch& epoch) { return has_alert(epoch); });
}

bool is_covered(const HistorySeries& series) {
  const NotJudged why = series.coverage.why;
  return why == NotJudged::no || why == NotJudged::new_series || why == NotJudged::gone ||
         why == NotJudged::no_exact_value;
}

HistoryStanding standing_of(const HistoryReport& report) {
  const auto alerts = [](const HistorySeries& series) { return has_alert(series); };
  if (std::any_of(report.series.begin(), report.series.end(), alerts)) return HistoryStanding::alert;
  const auto judged = [](const HistorySeries& series) { return series.coverage.why == NotJudged::no; };
  const bool something = std::any_of(report.series.begin(), report.series.end(), judged);
  const bool everything = std::all_of(report.series.begin(), report.series.end(), is_covered);
  const bool newest = std::none_of(report.unreadable.begin(), report.unreadable.end(),
                                   [](const HistoryFault& fault) { return fault.newest; });
  const bool heard =
      std::all_of(report.silent.begin(), report.silent.end(), [](const SilentClass& one) { return one.gone; });
  return something && everything && newest && heard ? HistoryStanding::quiet : HistoryStanding::not_judged;
}

}  // namespace stepgate
