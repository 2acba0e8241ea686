#include "core/error.h"
#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {

TimedPass run_synthetic(TimedRun& run) {
  require_whole_windows({"synthetic", run.steps.synthetic}, run.steps.window);
  StepSwitches* const switches = run.actions.abilities().switches;
  if (switches == nullptr) {
    throw Error(ErrorKind::usage, "pass synthetic cannot run over a loop of its own", "write a workload");
  }
  // The previous pass released its last batch. The resident one is loaded here, outside every window.
  run.actions.run(Boundary::data_wait, run.next_step);
  run.actions.run(Boundary::h2d, run.next_step);
  switches->keep_batch(true);
  TimedPass pass = run_windows(run, run.steps.synthetic);
  switches->keep_batch(false);
  return pass;
}

}  // namespace stepgate
