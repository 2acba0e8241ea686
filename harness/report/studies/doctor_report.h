// The doctor's report on a terminal: the host kind, the use of each CPU, each knob with its remedy, the next steps.
#pragma once

#include <string>

#include "core/study/doctor.h"
#include "report/text/console_style.h"

namespace stepgate {

/// With style.verbose also the files without write permission, settings at their defaults and every fact of the host.
std::string render_doctor(const DoctorReport& report, const ConsoleStyle& style);

}  // namespace stepgate
