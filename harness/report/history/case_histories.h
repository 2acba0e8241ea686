// What a history holds about the metrics of a run that did not pass, to be drawn beside them.
#pragma once

#include <cstddef>

#include "core/study/history_report.h"
#include "core/verdict/metric_history.h"
#include "core/verdict/run_report.h"

namespace stepgate {

/// More points than this cannot be told apart in a drawing of a page.
inline constexpr std::size_t most_drawn_history_points = 120;

/// The histories of each gating metric of `run` that neither passed nor was skipped and has a series under the run's
/// class.
CaseHistories case_histories(const HistoryReport& history, const RunReport& run);

}  // namespace stepgate
