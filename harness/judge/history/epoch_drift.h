// A drift of one epoch: since the last acknowledged level, and not the machine's.
#pragma once

#include <cstddef>
#include <optional>

#include "core/study/history_report.h"
#include "stats/trend/drift.h"
#include "stats/trend/series_analysis.h"

namespace stepgate {

/// What decides whether an epoch drifts. The states of its changes are set.
struct DriftFacts {
  const HistoryReport& report;
  const HistorySeries& series;
  const HistoryEpoch& epoch;
  MeasuredSeries measured;                  ///< all points of the epoch
  const SeriesAnalysis& analysis;           ///< of the same
  const HistoryEpoch* reference = nullptr;  ///< the reference case under the same key; null if there is none
  std::size_t first_point = 0;              ///< of the last acknowledged level
  TrendLimits limits = {};
};

/// Absent where nothing drifts, and where changes that have an alert of their own, or are the machine's, explain it.
/// It is the machine's where the reference case drifted at least half as much and their ratio did not beyond the ignore
/// margin.
std::optional<HistoryDrift> drift_of(const DriftFacts& facts);

}  // namespace stepgate
