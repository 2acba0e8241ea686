// A run record inside a measurement, or as the body of its own document. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/run_record.h"
#include "json/text/reader.h"

namespace stepgate {

/// Adds the record's keys to `value`, an object.
void add_run_record(Json& value, const RunRecord& record);
RunRecord run_record_at(Reader reader);

}  // namespace stepgate
