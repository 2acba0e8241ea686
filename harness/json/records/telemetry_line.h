// A record as one line of telemetry.jsonl (schemas/telemetry.schema.json).
#pragma once

#include <string>

#include "core/record/telemetry_record.h"

namespace stepgate {

/// Without a line end. Values that are not finite become "nan", "inf" and "-inf", which JSON has no numbers for; a name
/// that comes twice keeps its last value.
std::string telemetry_line(const TelemetryRecord& record);

}  // namespace stepgate
