// Sessions as series: one for each case, metric and class of runners, divided into epochs by key.
#pragma once

#include <cstdint>

#include "core/stored/history.h"
#include "core/study/history_report.h"

namespace stepgate {

/// Sessions of times that begin within it of the first one of a point count as one observation: they share the state
/// of the machine (judge/interval/session_clusters.h).
inline constexpr std::int64_t history_session_gap_s = 30 * 60;

/// Facts of the sessions and all series with their points; levels and changes are still empty. `sessions` must be
/// sorted by time. A counter keeps each session as a point of its own, because the machine does not move it. Metrics
/// that stepgate does not know get no direction and never alert.
HistoryReport history_series(const std::vector<HistorySession>& sessions);

}  // namespace stepgate
