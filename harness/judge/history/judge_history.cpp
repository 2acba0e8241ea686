#include "judge/history/judge_history.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "judge/history/change_states.h"
#include "judge/history/epoch_changes.h"
#include "judge/history/epoch_drift.h"
#include "judge/history/history_series.h"
#include "judge/history/series_coverage.h"
#include "judge/history/silent_classes.h"

namespace stepgate {
namespace {

constexpr const char* reference_metric = "reference_step_ns";

/// The analysis that found the levels of an epoch; a drift needs it. Absent for counters.
using Analysis = std::optional<SeriesAnalysis>;

std::vector<std::size_t> slots_of(const HistoryEpoch& epoch) {
  std::vector<std::size_t> slots;
  slots.reserve(epoch.points.size());
  for (const HistoryPoint& point : epoch.points) slots.push_back(point.slot);
  return slots;
}

Analysis find_levels(const HistorySeries& series, const TrendLimits& limits, HistoryEpoch& epoch) {
  if (series.exact) {
    find_exact_changes(series, epoch);
    return std::nullopt;
  }
  SeriesAnalysis analysis = analyse_series(worse_up(series, epoch), limits_for(series, epoch, limits), slots_of(epoch));
  take_analysis(analysis, series, epoch);
  return analysis;
}

class HistoryJudge {
 public:
  HistoryJudge(History history, const TrendLimits& limits)
      : limits_(limits),
        acknowledgements_(std::move(history.acknowledged)),
        unreadable_(std::move(history.unreadable)),
        report_(history_series(std::move(history.sessions), history.keys)) {
    for (const Acknowledgement& one : acknowledgements_) acknowledged_[one.series].push_back(&one);
  }

  HistoryReport judge() {
    analyses_.resize(report_.series.size());
    for (std::size_t i = 0; i < report_.series.size(); ++i) analyse(i);
    for (std::size_t i = 0; i < report_.series.size(); ++i) {
      for (std::size_t e = 0; e < report_.series[i].epochs.size(); ++e) decide(i, e);
    }
    set_coverage(acknowledged_, report_);
    report_.unreadable = faults_of(unreadable_, report_);
    report_.silent = silent_classes(acknowledged_, report_);
    return std::move(report_);
  }

 private:
  void analyse(std::size_t index) {
    HistorySeries& series = report_.series[index];
    for (HistoryEpoch& epoch : series.epochs) analyses_[index].push_back(find_levels(series, limits_, epoch));
    if (series.name.metric == reference_metric) references_[place_of(series)] = index;
  }

  void decide(std::size_t index, std::size_t e) {
    const HistorySeries& series = report_.series[index];
    HistoryEpoch& epoch = report_.series[index].epochs[e];
    const auto mine = acknowledged_.find(text_of(series.name));
    const StateFacts facts{
        .report = report_,
        .series = series,
        .reference = reference_of(series, epoch),
        .acknowledged = mine == acknowledged_.end() ? std::vector<const Acknowledgement*>() : mine->second};
    set_change_states(facts, epoch);
    const Analysis& analysis = analyses_[index][e];
    if (!analysis || !series.gates || series.direction == Direction::neither) return;
    const std::vector<double> values = worse_up(series, epoch);
    const std::vector<std::size_t> slots = slots_of(epoch);
    epoch.drift = drift_of({.report = report_,
                            .series = series,
                            .epoch = epoch,
                            .measured = {values, slots},
                            .analysis = *analysis,
                            .reference = facts.reference,
                            .first_point = acknowledged_level(facts, epoch),
                            .limits = limits_for(series, epoch, limits_)});
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
  std::vector<Acknowledgement> acknowledgements_;
  std::vector<UnreadableSession> unreadable_;
  HistoryReport report_;
  std::vector<std::vector<Analysis>> analyses_;  // the analysis of each series and epoch
  std::unordered_map<std::string, std::size_t> references_;
  SeriesAcknowledgements acknowledged_;
};

}  // namespace

HistoryReport judge_history(History history, const TrendLimits& limits) {
  return HistoryJudge(std::move(history), limits).judge();
}

}  // namespace stepgate
