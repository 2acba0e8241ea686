// A sweep on a terminal: the table of settings, the best, those equal within noise, and where more stops helping.
#pragma once

#include <string>

#include "core/study/sweep.h"
#include "report/text/console_style.h"

namespace stepgate {

std::string render_sweep(const Sweep& sweep, const ConsoleStyle& style);

}  // namespace stepgate
