#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {

TimedPass run_e2e(TimedRun& run) {
  require_whole_windows({"e2e", run.steps.e2e}, run.steps.window);
  return run_windows(run, run.steps.e2e, run.yield);
}

}  // namespace stepgate
