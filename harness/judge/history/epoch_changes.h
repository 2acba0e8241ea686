// Levels and changes of one epoch, by statistics for times and by equality for counters.
#pragma once

#include <optional>
#include <vector>

#include "core/study/history_report.h"
#include "stats/trend/series_analysis.h"

namespace stepgate {

/// The logarithms of the points, negated where higher is better, so that a rise is worse.
std::vector<double> worse_up(const HistorySeries& series, const HistoryEpoch& epoch);

/// The limits for this epoch: the noise of a time is at least the resolution in which it was stored.
TrendLimits limits_for(const HistorySeries& series, const HistoryEpoch& epoch, TrendLimits limits);

/// Fills levels, changes and spikes from an analysis of worse_up(). A change that an alarm of the analysis found is an
/// alert, any other one waits. An alarm for the worse that is no change of the whole series becomes a change of an
/// earlier analysis.
void take_analysis(const SeriesAnalysis& analysis, const HistorySeries& series, HistoryEpoch& epoch);

/// Every point whose counter differs from the one before begins a level. Points whose processes disagreed have no
/// exact value: they join the level before. The newest point waits; any other change is an alert.
void find_exact_changes(const HistorySeries& series, HistoryEpoch& epoch);

}  // namespace stepgate
