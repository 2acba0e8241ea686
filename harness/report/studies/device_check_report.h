// The self-test of a GPU on a terminal: one line a question, with its figure, its meaning and a remedy.
#pragma once

#include <string>

#include "core/study/device_report.h"
#include "report/text/console_style.h"

namespace stepgate {

/// With style.verbose also every figure that the lines were judged from.
std::string render_device(const DeviceReport& report, const ConsoleStyle& style);

}  // namespace stepgate
