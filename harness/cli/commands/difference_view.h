// The difference of two builds as `stepgate profile CASE --base-build DIR` shows it.
#pragma once

#include "cli/options/options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Observes both builds and prints the table, or difference.json with --json; the exit status.
int show_difference(const Options& options, const Project& head);

}  // namespace stepgate
