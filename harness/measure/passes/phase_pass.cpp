#include <vector>

#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/boundary_action.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

// "Synchronise the device, then mark" (docs/design/measurement.md, "Windows and synchronisation"): the mark after an
// action waits for all the work it queued.
std::int64_t drained_mark(Backend& backend) {
  backend.synchronize();
  return backend.now_ns();
}

void run_phase_step(TimedRun& run, StepTrace& trace) {
  Backend& backend = run.backend;
  StepActions& actions = run.actions;
  std::size_t mark = 0;
  trace.marks_ns[mark++] = drained_mark(backend);
  run_boundaries(
      actions, run.next_step++, [](Boundary) {}, [&](Boundary) { trace.marks_ns[mark++] = drained_mark(backend); });
  trace.batch = actions.batch_info();
  actions.release();
  trace.end_ns = drained_mark(backend);
}

}  // namespace

TimedPass run_phase(TimedRun& run) {
  require_positive({"phase", run.steps.phase});
  std::vector<StepTrace> traces(static_cast<std::size_t>(run.steps.phase));
  for (StepTrace& trace : traces) {
    const auto skipped_before = run.actions.abilities().skipped_updates();
    run_phase_step(run, trace);
    trace.skipped_update = run.actions.abilities().skipped_updates() != skipped_before;
  }
  TimedPass pass;
  pass.clock = run.backend.clock_name();
  pass.steps.reserve(traces.size());
  for (const StepTrace& trace : traces) {
    pass.steps.push_back(host_sample(trace, run.actions.boundaries()));
    note_shape(run, pass.steps.back());
  }
  return pass;
}

}  // namespace stepgate
