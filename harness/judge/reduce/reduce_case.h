// Reduces a measurement to the values that verdicts compare: one per clean replicate and metric.
#pragma once

#include "core/record/measurement.h"
#include "core/verdict/case_values.h"

namespace stepgate {

/// Reduces `measurement`. A replicate is clean if it has a record, no failure and no taint reason. Taint affects times
/// only, so if no exact replicate is clean, the tainted ones give the exact, bytes and numeric values (`clean_exact`
/// stays 0). A metric that cannot be measured is in `absent` with the reason, never zero.
/// Step times: median over the windows of the e2e pass on an asynchronous clock, over its steps on "steady_clock";
/// the mean is total wall time over total steps. Steps and windows with a new shape are excluded.
CaseValues case_values(const Measurement& measurement);

/// The last clean record of a group, e.g. of the retry after a tainted replicate; null if none is clean.
const RunRecord* last_clean_record(const Measurement& measurement, Group group);

}  // namespace stepgate
