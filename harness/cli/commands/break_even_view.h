// `stepgate report CASE --twin EAGER`: after how many steps a compiled step or a CUDA graph has caught up.
#pragma once

#include "cli/options/options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Prints the table. Throws Error(usage) unless one case is named, and as stored_break_even().
void show_break_even(const Options& options, const Project& project);

}  // namespace stepgate
