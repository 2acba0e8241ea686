// A stored baseline as a table.
#pragma once

#include <string>

#include "core/stored/baseline.h"
#include "core/stored/baseline_diff.h"
#include "report/gate/console_report.h"

namespace stepgate {

/// Values, key and origin. `values`: the rows of the baseline held against none.
std::string render_baseline(const Baseline& baseline, const BaselineDiff& values, const ConsoleStyle& style);

}  // namespace stepgate
