// The difference of two builds on a terminal: operators and lines, what they take more, and how much that explains.
#pragma once

#include <string>

#include "core/study/step_difference.h"
#include "report/text/console_style.h"

namespace stepgate {

/// The first twenty rows; all are in difference.json.
std::string render_difference(const StepDifference& difference, const ConsoleStyle& style);

}  // namespace stepgate
