// One status line on a terminal while replicates run: which case, which process of how many, time left.
#pragma once

#include <cstdint>
#include <functional>

#include "cli/options.h"
#include "launch/measure_case.h"

namespace stepgate {

/// A callback for the launcher. Writes to stderr only, and only where that is a terminal and --quiet was not given.
std::function<void(const LaunchProgress&)> progress_line(const Options& options);

/// Where a run stands that asks the launcher for one process at a time.
struct ProcessesSoFar {
  std::int64_t done = 0;
  std::int64_t planned = 0;
  double elapsed_s = 0;
};

/// progress_line() with the place in the whole run instead of the launcher's own; no estimate of what remains.
std::function<void(const LaunchProgress&)> progress_line(const Options& options, const ProcessesSoFar& so_far);

/// Removes the status line before something else is printed.
void clear_progress_line(const Options& options);

}  // namespace stepgate
