// A step's actions by boundary, for passes that treat all boundaries alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/boundary.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Runs the action of `boundary`; `step` is the number that log() gets.
inline void run_boundary(StepActions& actions, Boundary boundary, std::int64_t step) {
  if (is_own(boundary)) return actions.run_own(boundary);
  switch (boundary) {
    case Boundary::data_wait:
      return actions.load();
    case Boundary::h2d:
      return actions.copy_to_device();
    case Boundary::forward:
      return actions.forward();
    case Boundary::backward:
      return actions.backward();
    case Boundary::optimizer:
      return actions.optimizer_step();
    case Boundary::logging:
      return actions.log(step);
  }
}

/// Goes through a step: `before(boundary)`, its action, `after(boundary)`. In a loop's first step the boundary that ran
/// may be another than the one that was to run (StepActions::boundaries()); both functions get what is known then.
template <typename Before, typename After>
void run_boundaries(StepActions& actions, std::int64_t step, Before before, After after) {
  const StepBoundaries& boundaries = actions.boundaries();
  for (std::size_t i = 0; i < boundaries.order().size(); ++i) {
    before(boundaries.order()[i]);
    run_boundary(actions, boundaries.order()[i], step);
    after(boundaries.order()[i]);
  }
}

}  // namespace stepgate
