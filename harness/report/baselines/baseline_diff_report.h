// What accepting a baseline would change, as a table for its reviewer.
#pragma once

#include <string>
#include <vector>

#include "core/stored/baseline_diff.h"
#include "report/gate/console_report.h"

namespace stepgate {

std::string render_baseline_diffs(const std::vector<BaselineDiff>& diffs, const ConsoleStyle& style);

}  // namespace stepgate
