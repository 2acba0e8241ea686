// Training runs of both builds from several seeds: whole loss trajectories, seed by seed.
#pragma once

#include "core/verdict/losses/loss_trajectories.h"
#include "experiment/pairs/pair_case.h"

namespace stepgate {

/// Trains each build once from each of plan.seeds seeds, the plan's own and those after it, for plan.seed_steps steps
/// in the deterministic pass of the losses. Results go to <folder>/seeds/NNN/{base,head}/measurement.json; those of an
/// interrupted run are taken up. Ends at the first failure. If interrupted, returns the complete runs.
LossTrajectories measure_seeds(const PairCase& pair_case, const Caller& caller);

}  // namespace stepgate
