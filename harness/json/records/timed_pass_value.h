// Raw samples of a timed pass inside run records, as columns: one array a field, one entry a step. Internal to json/
// (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

/// Columns that no step has (device_ns, overlap_ns, gap_ns) are left out; a step without a value holds null.
Json value_of(const TimedPass& pass);

/// Throws where columns differ in length, too.
TimedPass timed_pass_at(Reader reader);

}  // namespace stepgate
