#include "measure/profile/observed_steps.h"

#include "measure/device/work/work_observer.h"
#include "measure/passes/step_window.h"
#include "measure/step/boundary_action.h"

namespace stepgate {
namespace {

void run_observed(TimedRun& run, WorkObserver& observer) {
  run_boundaries(
      run.actions, run.next_step++, [&](Boundary boundary) { observer.enter(run.actions.boundaries().name(boundary)); },
      [&](Boundary /*boundary*/) { observer.leave(); });
  run.actions.release();
  observer.end_step();
}

}  // namespace

ObservedSteps observe_steps(TimedRun& run, const std::vector<torch::Tensor>& parameters, std::int64_t steps) {
  ObservedSteps found;
  StepWindow window(run, steps);
  window.run(steps, false);
  found.unobserved_wall_ns = window.wall_ns();
  WorkObserver observer({.by_shape = true});
  observer.know_parameters(parameters);
  observer.start();
  run.backend.synchronize();
  const std::int64_t begin_ns = run.backend.now_ns();
  for (std::int64_t i = 0; i < steps; ++i) run_observed(run, observer);
  run.backend.synchronize();
  found.observed_wall_ns = run.backend.now_ns() - begin_ns;
  observer.stop();
  found.work = observer.take();
  return found;
}

}  // namespace stepgate
