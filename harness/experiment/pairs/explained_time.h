// After a red time: pairs of observed processes say which operators and lines take it.
#pragma once

#include "core/verdict/run_report.h"
#include "experiment/pairs/pair_case.h"

namespace stepgate {

/// If the step time of a case regressed: observes pairs for at most a minute, adds findings to `outcome` and writes
/// <case>/ab/difference.json. If there are too few pairs, a note says why. The verdict does not change. Does nothing
/// with --no-explain, or if the step time did not regress.
void explain_time(const PairRun& pairs, const PairCase& pair_case, Outcome& outcome);

}  // namespace stepgate
