#include "judge/history/judge_history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "judge/history/change_states.h"
#include "judge/history/epoch_changes.h"
#include "judge/history/history_limits.h"
#include "judge/history/history_series.h"

namespace stepgate {
namespace {

constexpr const char* reference_metric = "reference_step_ns";

/// The analysis that found the levels of an epoch; creep needs it. Absent for counters.
using Analysis = std::optional<SeriesAnalysis>;

bool has_logarithms(const HistorySeries& series) {
  for (const HistoryEpoch& epoch : series.epochs) {
    for (const HistoryPoint& point : epoch.points) {
      if (!(point.value > 0)) return false;
    }
  }
  return true;
}

Analysis find_levels(const HistorySeries& series, const TrendLimits& limits, HistoryEpoch& epoch) {
  if (series.exact) {
    find_exact_changes(series, epoch);
    return std::nullopt;
  }
  SeriesAnalysis analysis =
      analyse_series(worse_up(series, epoch, epoch.points.size()), limits_for(series, epoch, limits));
  take_analysis(analysis, series, epoch);
  return analysis;
}

/// The epoch as it was before its newest point; its analysis where it is one of times.
struct Earlier {
  HistoryEpoch epoch;
  Analysis analysis;
};

Earlier without_newest(const HistorySeries& series, const HistoryEpoch& epoch, const TrendLimits& limits) {
  Earlier earlier{.epoch = {.key = epoch.key,
                            .points = {epoch.points.begin(), epoch.points.end() - 1},
                            .levels = {},
                            .changes = {},
                            .creep = {}},
                  .analysis = {}};
  if (!earlier.epoch.points.empty()) earlier.analysis = find_levels(series, limits, earlier.epoch);
  return earlier;
}

std::size_t after_last_acknowledged(const HistoryEpoch& epoch) {
  std::size_t first = 0;
  for (const HistoryChange& change : epoch.changes) {
    if (change.state == ChangeState::acknowledged) first = change.index;
  }
  return first;
}

/// Whether the change is reported on a line of its own, now or after the next session.
bool has_own_line(const HistoryChange& change) {
  return change.state == ChangeState::alert || change.state == ChangeState::waiting;
}

/// A change of the machine is not creep. Several small steps are often confirmed as one change: a single step is creep
/// too, unless its own line reports it.
std::optional<HistoryCreep> creep_of(const HistoryEpoch& epoch, const Creep& found) {
  HistoryCreep creep{.since_level = found.since_segment, .change = 0, .lower_bound = 0, .steps = {}};
  double machine = 0;
  for (std::size_t i = 0; i < epoch.changes.size(); ++i) {
    const HistoryChange& change = epoch.changes[i];
    if (change.index < epoch.levels[found.since_segment].end || !change.worse) continue;
    if (change.state == ChangeState::machine)
      machine += std::abs(std::log1p(change.change));
    else
      creep.steps.push_back(i);
  }
  if (creep.steps.empty()) return std::nullopt;
  if (creep.steps.size() == 1 && has_own_line(epoch.changes[creep.steps.front()])) return std::nullopt;
  if (!(found.lower_bound - machine > std::log1p(history_creep_margin))) return std::nullopt;
  creep.change = std::expm1(found.log_change - machine);
  creep.lower_bound = std::expm1(found.lower_bound - machine);
  return creep;
}

class HistoryJudge {
 public:
  HistoryJudge(const History& history, const TrendLimits& limits)
      : limits_(limits), report_(history_series(history.sessions)) {
    for (const Acknowledgement& one : history.acknowledged) acknowledged_[one.series].push_back(&one);
  }

  HistoryReport judge() {
    analyses_.resize(report_.series.size());
    for (std::size_t i = 0; i < report_.series.size(); ++i) analyse(i);
    for (std::size_t i = 0; i < report_.series.size(); ++i) {
      for (std::size_t e = 0; e < report_.series[i].epochs.size(); ++e) decide(i, e);
    }
    return std::move(report_);
  }

 private:
  void analyse(std::size_t index) {
    HistorySeries& series = report_.series[index];
    if (!series.exact && !has_logarithms(series)) {
      series.not_analysed = "some of its values are not positive";
      return;
    }
    for (HistoryEpoch& epoch : series.epochs) analyses_[index].push_back(find_levels(series, limits_, epoch));
    if (series.name.metric == reference_metric) references_[place_of(series)] = index;
  }

  void decide(std::size_t index, std::size_t e) {
    HistorySeries& series = report_.series[index];
    if (!series.not_analysed.empty()) return;
    HistoryEpoch& epoch = series.epochs[e];
    if (epoch.changes.empty()) return;
    const Earlier earlier = without_newest(series, epoch, limits_);
    const auto mine = acknowledged_.find(text_of(series.name));
    set_change_states(
        {.report = report_,
         .series = series,
         .before = earlier.epoch.changes,
         .reference = reference_of(series, epoch),
         .acknowledged = mine == acknowledged_.end() ? std::vector<const Acknowledgement*>() : mine->second},
        epoch);
    const Analysis& analysis = analyses_[index][e];
    if (!analysis || !earlier.analysis || !series.gates || series.direction == Direction::neither) return;
    const std::size_t first = after_last_acknowledged(epoch);
    const auto found = find_creep(*analysis, first, history_creep_margin);
    if (found && find_creep(*earlier.analysis, first, history_creep_margin)) epoch.creep = creep_of(epoch, *found);
  }

  static std::string place_of(const HistorySeries& series) {
    return series.name.case_name + '\n' + series.name.runner_class;
  }

  const HistoryEpoch* reference_of(const HistorySeries& series, const HistoryEpoch& epoch) const {
    const auto at = references_.find(place_of(series));
    if (at == references_.end()) return nullptr;
    for (const HistoryEpoch& one : report_.series[at->second].epochs) {
      if (one.key == epoch.key) return &one;
    }
    return nullptr;
  }

  TrendLimits limits_;
  HistoryReport report_;
  std::vector<std::vector<Analysis>> analyses_;  // the analysis of each series and epoch
  std::unordered_map<std::string, std::size_t> references_;
  std::unordered_map<std::string, std::vector<const Acknowledgement*>> acknowledged_;
};

}  // namespace

HistoryReport judge_history(const History& history, const TrendLimits& limits) {
  return HistoryJudge(history, limits).judge();
}

}  // namespace stepgate
