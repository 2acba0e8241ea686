// A step's actions by boundary, for passes that treat all boundaries alike.
#pragma once

#include <cstdint>

#include "core/boundary.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Runs the action of `boundary`; `step` is the number that log() gets.
inline void run_boundary(StepActions& actions, Boundary boundary, std::int64_t step) {
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

}  // namespace stepgate
