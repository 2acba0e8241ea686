#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {

TimedPass run_synthetic(TimedRun& run) {
  require_whole_windows({"synthetic", run.steps.synthetic}, run.steps.window);
  // The previous pass released its last batch. The resident one is loaded here, outside every window.
  run.actions.load();
  run.actions.copy_to_device();
  run.actions.keep_batch(true);
  TimedPass pass = run_windows(run, run.steps.synthetic);
  run.actions.keep_batch(false);
  return pass;
}

}  // namespace stepgate
