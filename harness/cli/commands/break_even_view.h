// `stepgate report CASE --twin EAGER`: after how many steps a compiled step or a CUDA graph has caught up.
#pragma once

#include <string>
#include <vector>

#include "experiment/plan/project.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Prints the table. Throws Error(usage) unless one case is named, and as stored_break_even().
void show_break_even(const Project& project, const std::vector<std::string>& cases, const std::string& twin,
                     const ConsoleStyle& style);

}  // namespace stepgate
