// One status line on a terminal while replicates run: which case, which process of how many, time left.
#pragma once

#include <functional>

#include "cli/options.h"
#include "launch/measure_case.h"

namespace stepgate {

/// A callback for the launcher. Writes to stderr only, and only where that is a terminal and --quiet was not given.
std::function<void(const LaunchProgress&)> progress_line(const Options& options);

/// Removes the status line before something else is printed.
void clear_progress_line(const Options& options);

}  // namespace stepgate
