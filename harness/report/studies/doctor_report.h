// What the doctor found, on a terminal: the place, who runs where, each knob with what would allow it, what to do next.
#pragma once

#include <string>

#include "core/study/doctor.h"
#include "report/text/console_style.h"

namespace stepgate {

/// With style.verbose also the files that may not be written, settings at their defaults and every fact of the host.
std::string render_doctor(const DoctorReport& report, const ConsoleStyle& style);

}  // namespace stepgate
