// `ab` with --nodes.
#pragma once

#include "cli/options/options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Plans, submits, waits and merges. The exit status.
int run_ab_on_nodes(const Options& options, const Project& project);

}  // namespace stepgate
