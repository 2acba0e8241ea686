#include "measure/step/step_actions.h"

namespace stepgate {

const StepBoundaries& StepActions::boundaries() const {
  static const StepBoundaries of_a_workload;
  return of_a_workload;
}

}  // namespace stepgate
