#include "measure/passes/exact/primitive_creations.h"

#include "measure/step/boundary_action.h"

namespace stepgate {

std::vector<std::int64_t> count_primitive_creations(StepActions& actions, PrimitiveWatch& watch,
                                                    const StepCounts& steps) {
  std::vector<std::int64_t> made;
  for (std::int64_t step = 0; step < steps.counts; ++step) {
    watch.begin_step();
    run_boundaries(
        actions, steps.exact_warmup + steps.counts + step, [](Boundary) {}, [](Boundary) {});
    made.push_back(watch.end_step());
    actions.release();
  }
  return made;
}

}  // namespace stepgate
