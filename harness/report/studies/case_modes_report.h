// Which mode of an emulated GPU each case needs, on a terminal.
#pragma once

#include <string>

#include "core/study/case_modes.h"
#include "report/text/console_style.h"

namespace stepgate {

/// A line a case: "language/char_lm/gpu_small: counts are enough".
std::string render_case_modes(const CaseModes& modes, const ConsoleStyle& style);

}  // namespace stepgate
