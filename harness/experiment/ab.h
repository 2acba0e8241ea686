// A/B: two builds of the same cases, compared by pairs of fresh processes in a drawn order.
#pragma once

#include "experiment/ab_options.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Measures and judges each selected case that both builds have; the case that may need the A/A control first rotates
/// with the seed of the order. A run that was interrupted goes on with what it has. Throws Error(usage) without a base
/// build, for debug builds, and where nothing is left to compare.
JudgedRun run_ab(const Project& head, const AbOptions& options, const Caller& caller);

}  // namespace stepgate
