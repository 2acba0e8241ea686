// The training runs of `stepgate ab --seeds N`: both builds, whole loss trajectories, seed by seed.
#pragma once

#include <atomic>

#include "cli/ab_case.h"
#include "cli/context.h"
#include "core/loss_trajectories.h"

namespace stepgate {

/// Trains each build once from each of plan.seeds seeds, the plan's own and those after it, in the deterministic pass
/// of the losses: --steps numerics=N steps long, 200 where nothing is said. Results go to
/// <folder>/seeds/NNN/{base,head}/measurement.json; those of an interrupted run are taken over.
/// Interrupted: returns what is complete.
LossTrajectories measure_seeds(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted);

}  // namespace stepgate
