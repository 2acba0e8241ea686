// Does a step take longer the later it comes?
#pragma once

#include <optional>

#include "core/record/run_record.h"
#include "core/verdict/step_trend.h"

namespace stepgate {

/// The seasonal Sen slope of the e2e pass: the median of ln(later / earlier) / distance over all pairs of steps on
/// batches of one size (Hirsch, Slack and Smith, Water Resources Research 18 (1982), with sizes in the place of
/// months). Where the device runs behind the host, of windows; all their batches must have one size then. At most 120
/// steps, evenly spread, are taken: the median of their 7 140 pairs is as good. Absent with fewer than 6 of them. Where
/// steps are timed one by one, likewise the slope of each boundary's time on the host, in nanoseconds.
std::optional<StepTrend> step_trend(const RunRecord& record);

}  // namespace stepgate
