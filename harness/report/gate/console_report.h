// A gate run on a terminal: the verdict first, then what is wrong with its cause and the next command.
#pragma once

#include <string>

#include "core/verdict/run_report.h"
#include "report/text/console_style.h"

namespace stepgate {

std::string render_console(const RunReport& report, const ConsoleStyle& style);

}  // namespace stepgate
