// Writes what a person may accept after review: the measured values in the form of a baseline.
#pragma once

#include "core/record/measurement.h"
#include "core/verdict/case_values.h"
#include "core/verdict/run_report.h"
#include "experiment/context.h"

namespace stepgate {

/// One pending file per scope that was measured and is worth accepting: no baseline yet, something moved, or one more
/// session of a runner class. Nothing for a case that failed. Fills outcome.pending_path (the first written).
void add_pending(const Context& context, const ManifestCase& entry, const Measurement& measurement,
                 const CaseValues& values, Outcome& outcome);

}  // namespace stepgate
