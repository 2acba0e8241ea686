#include <vector>

#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

// LibTorch's loader keeps two batches per worker ready. Batches that were prepared during another pass say nothing
// about the rate.
constexpr std::int64_t unrecorded_windows = 2;

std::int64_t draw(TimedRun& run, StepTrace& trace, std::int64_t begin_ns) {
  trace.marks_ns.fill(begin_ns);
  run.actions.run(Boundary::data_wait, run.next_step);
  const std::int64_t loaded_ns = run.backend.now_ns();
  for (std::size_t i = 1; i < trace.marks_ns.size(); ++i) trace.marks_ns[i] = loaded_ns;
  trace.batch = run.actions.batch_info();
  run.actions.release();
  trace.end_ns = run.backend.now_ns();
  return trace.end_ns;
}

std::int64_t draw_window(TimedRun& run, std::vector<StepTrace>& traces) {
  const std::int64_t begin_ns = run.backend.now_ns();
  std::int64_t now_ns = begin_ns;
  for (StepTrace& trace : traces) now_ns = draw(run, trace, now_ns);
  return now_ns - begin_ns;
}

}  // namespace

TimedPass run_loader(TimedRun& run) {
  require_whole_windows({"loader", run.steps.loader}, run.steps.window);
  std::vector<StepTrace> traces(static_cast<std::size_t>(run.steps.window));
  for (std::int64_t i = 0; i < unrecorded_windows; ++i) draw_window(run, traces);
  TimedPass pass;
  pass.clock = run.backend.clock_name();
  pass.steps.reserve(static_cast<std::size_t>(run.steps.loader));
  for (std::int64_t done = 0; done < run.steps.loader; done += run.steps.window) {
    pass.windows.push_back({draw_window(run, traces), done, run.steps.window, false});
    for (const StepTrace& trace : traces) pass.steps.push_back(host_sample(trace, run.actions.boundaries()));
  }
  return pass;
}

}  // namespace stepgate
