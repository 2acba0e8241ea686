// `stepgate report --distribution`: how the times of the stored cases are spread.
#pragma once

#include "cli/options/options.h"
#include "core/verdict/run_report.h"

namespace stepgate {

/// Prints a table for each case of the report that has times. Throws Error(usage) where none has.
void show_distributions(const Options& options, const RunReport& report);

}  // namespace stepgate
