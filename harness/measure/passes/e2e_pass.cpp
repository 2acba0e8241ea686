#include <utility>

#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"
#include "system/process_cpu.h"

namespace stepgate {

TimedPass run_e2e(TimedRun& run) {
  require_whole_windows({"e2e", run.steps.e2e}, run.steps.window);
  BackgroundCpu background{.steps = run.steps.e2e};
  ProcessCpu before;
  TimedPass pass = run_windows(run, run.steps.e2e,
                               {.before = [&] { before = read_process_cpu(); },
                                .after =
                                    [&] {
                                      const ProcessCpu after = read_process_cpu();
                                      background.cpu_ns += background_ns(before, after);
                                      background.step_cpu_ns += after.thread_ns - before.thread_ns;
                                    },
                                .next = run.yield});
  run.background = std::move(background);
  return pass;
}

}  // namespace stepgate
