#include "judge/history/silent_classes.h"

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

}  // namespace

std::vector<SilentClass> silent_classes(const SeriesAcknowledgements& acknowledged, const HistoryReport& report) {
  std::vector<SilentClass> silent;
  for (const auto& [name, measured] : measured_classes(report)) {
    const std::size_t missed = report.sessions.back().place - measured.places.back();
    if (measured.places.size() < history_fewest_times || !is_stale(measured.places, missed)) continue;
    silent.push_back({.runner_class = name,
                      .commit = measured.last_commit,
                      .missed = missed,
                      .gone = is_acknowledged_gone(acknowledged, text_of_class(name), measured.last_commit)});
  }
  return silent;
}

}  // namespace stepgate
