// Goes through the boundaries of a step, for passes that treat all boundaries alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/step/step_actions.h"

namespace stepgate {

/// Goes through a step: `before(boundary)`, its action, `after(boundary)`. In a loop's first step the boundary that ran
/// may be another than the one that was to run (StepActions::boundaries()); both functions get what is known then.
template <typename Before, typename After>
void run_boundaries(StepActions& actions, std::int64_t step, Before before, After after) {
  const StepBoundaries& boundaries = actions.boundaries();
  for (std::size_t i = 0; i < boundaries.order().size(); ++i) {
    before(boundaries.order()[i]);
    actions.run(boundaries.order()[i], step);
    after(boundaries.order()[i]);
  }
}

}  // namespace stepgate
