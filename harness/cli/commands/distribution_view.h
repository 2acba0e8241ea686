// `stepgate report --distribution`: how the times of the stored cases are spread.
#pragma once

#include <vector>

#include "core/verdict/measured_times.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Prints a table for each case that has times. Throws Error(usage) where none has.
void show_distributions(const std::vector<MeasuredTimes>& cases, const ConsoleStyle& style);

}  // namespace stepgate
