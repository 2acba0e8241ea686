// The doctor's report as a document: stepgate doctor --json (schemas/doctor.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "core/study/doctor.h"

namespace stepgate {

std::string to_text(const DoctorReport& report);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key.
DoctorReport doctor_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
