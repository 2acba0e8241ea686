// From a measurement to what verdicts compare: one value per clean replicate and metric.
#pragma once

#include "core/record/measurement.h"
#include "core/verdict/case_values.h"

namespace stepgate {

/// Reduces `measurement`. A replicate is clean when it has a record, no failure and no taint reason. Taint is about
/// time, so where no exact replicate is clean the tainted ones give the exact, bytes and numeric values
/// (`clean_exact` stays 0). A metric that cannot be measured is in `absent` with the reason, never zero.
/// Step times: median over the windows of the e2e pass on an asynchronous clock, over its steps on "steady_clock";
/// the mean is total wall time over total steps. Steps and windows with a shape never seen before are left out.
CaseValues case_values(const Measurement& measurement);

/// The last clean record of a group, e.g. of the retry that followed a tainted one; null where none is clean.
const RunRecord* last_clean_record(const Measurement& measurement, Group group);

}  // namespace stepgate
