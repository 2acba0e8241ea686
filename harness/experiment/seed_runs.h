// The training runs of `stepgate ab --seeds N`: both builds, whole loss trajectories, seed by seed.
#pragma once

#include <atomic>

#include "core/verdict/loss_trajectories.h"
#include "experiment/ab_case.h"
#include "experiment/context.h"

namespace stepgate {

/// Trains each build once from each of plan.seeds seeds, the plan's own and those after it, for plan.seed_steps steps
/// in the deterministic pass of the losses. Results go to <folder>/seeds/NNN/{base,head}/measurement.json; those of an
/// interrupted run are taken over. Ends at the first failure. Interrupted: returns what is complete.
LossTrajectories measure_seeds(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted);

}  // namespace stepgate
