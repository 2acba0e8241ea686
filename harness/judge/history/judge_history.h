// Levels, changes and creep of every series of a history, and which of them ask for attention
// (docs/design/statistics.md, "Series over time").
#pragma once

#include <cstddef>
#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {

/// A change within so many points of one that was reported is not reported again, and an acknowledgement holds for a
/// change that later analyses move by so many points.
inline constexpr std::size_t history_quiet_points = 5;
/// A change of the reference case within so many points of a change belongs to it.
inline constexpr std::size_t history_reference_points = 2;
/// Relative creep that is reported. With 0.01, five steps of 0.8 % are noticed at a sum of 2.4 %, with 0.02 only at 3.2
/// %; chance makes a creep of an unchanged series rarely enough at 0.01 (docs/trend_quality.md, "Creep").
inline constexpr double history_creep_margin = 0.01;

/// All of a history. The state of every change follows from the files alone: a change is an alert if the analysis
/// without the newest point found it too.
HistoryReport judge_history(const History& history, const TrendLimits& limits = {});

}  // namespace stepgate
