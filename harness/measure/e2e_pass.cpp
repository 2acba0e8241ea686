#include "measure/step_checks.h"
#include "measure/step_window.h"
#include "measure/timed_passes.h"

namespace stepgate {

TimedPass run_e2e(TimedRun& run) {
  require_whole_windows({"e2e", run.steps.e2e}, run.steps.window);
  return run_windows(run, run.steps.e2e, run.yield);
}

}  // namespace stepgate
