// Levels, changes and creep of every series of a history, and which of them ask for attention
// (docs/design/statistics.md, "Series over time").
#pragma once

#include "core/stored/history.h"
#include "core/study/history_report.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// All of a history. The state of every change follows from the files alone: a change is an alert if the analysis
/// without the newest point found it too.
HistoryReport judge_history(const History& history, const TrendLimits& limits = {});

}  // namespace stepgate
