// Levels, changes and drifts of every series of a history, which of them ask for attention, and what was not judged
// (docs/design/statistics.md, "Series over time").
#pragma once

#include "core/stored/history.h"
#include "core/study/history_report.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// All of a history, which is used up: its values become the points of the report. The state of every finding follows
/// from the files alone. What two analyses running found stays, as if a job had looked after every session.
HistoryReport judge_history(History history, const TrendLimits& limits = {});

}  // namespace stepgate
