// `stepgate report --distribution`: how the times of the stored cases are spread.
#pragma once

#include "core/verdict/run_report.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Prints a table for each case of the report that has times. Throws Error(usage) where none has.
void show_distributions(const RunReport& report, const ConsoleStyle& style);

}  // namespace stepgate
