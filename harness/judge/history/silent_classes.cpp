#include "judge/history/silent_classes.h"

#include <algorithm>
#include <map>

#include "judge/history/history_limits.h"

namespace stepgate {
namespace {

/// What was measured on one class.
struct MeasuredClass {
  std::vector<std::size_t> places = {};  ///< of its commits among all, ascending
  std::string last_commit = {};
};

std::map<std::string, MeasuredClass> measured_classes(const HistoryReport& report) {
  std::map<std::string, MeasuredClass> classes;
  for (const HistorySessionFacts& session : report.sessions) {
    MeasuredClass& one = classes[session.runner_class];
    if (one.places.empty() || one.places.back() != session.place) one.places.push_back(session.place);
    one.last_commit = session.commit;
  }
  return classes;
}

std::size_t median_gap(const std::vector<std::size_t>& places) {
  std::vector<std::size_t> gaps;
  for (std::size_t i = 1; i < places.size(); ++i) gaps.push_back(places[i] - places[i - 1]);
  if (gaps.empty()) return 1;
  std::sort(gaps.begin(), gaps.end());
  return gaps[gaps.size() / 2];
}

}  // namespace

bool ends_with_commit(const SilentClass& silent, const std::string& commit) {
  constexpr std::size_t fewest_digits = 7;
  return silent.commit == commit || (commit.size() >= fewest_digits && silent.commit.starts_with(commit));
}

std::vector<SilentClass> silent_classes(const SeriesAcknowledgements& acknowledged, const HistoryReport& report) {
  std::vector<SilentClass> silent;
  for (const auto& [name, measured] : measured_classes(report)) {
    const std::size_t missed = report.sessions.back().place - measured.places.back();
    if (measured.places.size() < history_fewest_times) continue;
    if (missed < history_stale_sessions * median_gap(measured.places)) continue;
    SilentClass& one = silent.emplace_back(SilentClass{.runner_class = name, .commit = measured.last_commit});
    one.missed = missed;
    const auto mine = acknowledged.find(text_of_class(name));
    one.gone = mine != acknowledged.end() &&
               std::any_of(mine->second.begin(), mine->second.end(), [&](const Acknowledgement* by) {
                 return by->kind == AcknowledgedKind::gone && ends_with_commit(one, by->commit);
               });
  }
  return silent;
}

}  // namespace stepgate
