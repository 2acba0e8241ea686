// The self-test of a GPU as a document: stepgate doctor --device --json (schemas/device_report.schema.json).
#pragma once

#include <string>

#include "core/study/device_report.h"

namespace stepgate {

/// Throws Error(measure) naming a value that is not finite.
std::string to_text(const DeviceReport& report);

}  // namespace stepgate
