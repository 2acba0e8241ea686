// The last part of the counts pass: whether steps after the warm-up still make primitives of oneDNN.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/device/cpu/primitive_watch.h"
#include "measure/step/step_actions.h"
#include "stepgate/step_counts.h"

namespace stepgate {

/// Runs `steps.counts` steps more, after those that run_counts() ran, and returns what each made. Nothing else is
/// counted in them.
std::vector<std::int64_t> count_primitive_creations(StepActions& actions, PrimitiveWatch& watch,
                                                    const StepCounts& steps);

}  // namespace stepgate
