// `ab` and `sweep` with --nodes.
#pragma once

#include "cli/options/options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Both plan, submit, wait and merge. The exit status.
int run_ab_on_nodes(const Options& options, const Project& project);
int run_sweep_on_nodes(const Options& options, const Project& project);

}  // namespace stepgate
