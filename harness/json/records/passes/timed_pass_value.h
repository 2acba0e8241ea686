// Raw samples of a timed pass inside run records, as columns: one array per field, one entry per step. Internal to
// json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

/// A column without any value (device_ns, overlap_ns, gap_ns) is omitted; a step without a value holds null.
Json value_of(const TimedPass& pass, const StepBoundaries& boundaries);

/// Also throws if columns differ in length, or if a boundary of the step has no column.
TimedPass timed_pass_at(Reader reader, const StepBoundaries& boundaries);

}  // namespace stepgate
