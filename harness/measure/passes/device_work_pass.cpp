#include "measure/device/work/device_work_trace.h"
#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

/// Runs one window; "" where the device's work in it is known.
std::string add_window(TimedRun& run, StepWindow& window, DeviceWorkTrace& trace,
                       std::vector<DeviceWorkWindow>& windows) {
  run.backend.synchronize();
  const auto begin_ns = trace.now_ns();
  window.run(run.steps.window, false);
  const auto end_ns = trace.now_ns();
  TimedPass steps;
  window.append_to(steps);
  auto taken = trace.take();
  if (auto* reason = std::get_if<std::string>(&taken)) return std::move(*reason);
  auto& work = std::get<std::vector<WorkInterval>>(taken);
  if (!begin_ns || !end_ns || *end_ns <= *begin_ns) return "the clock of the device's work could not be read";
  const std::int64_t records = std::ssize(work);
  windows.push_back({.wall_ns = *end_ns - *begin_ns,
                     .work_ns = union_ns(std::move(work), {*begin_ns, *end_ns}),
                     .records = records,
                     .steps = run.steps.window,
                     .cold_shape = steps.windows.back().cold_shape,
                     .skipped_update = steps.windows.back().skipped_update});
  return "";
}

}  // namespace

DeviceWorkFound run_device_work(TimedRun& run, DeviceWorkTrace& trace) {
  require_whole_windows({"device_work", run.steps.device_work}, run.steps.window);
  StepWindow window(run, run.steps.window);
  std::string refused = trace.start();
  // The first window pays for what tracing does once.
  std::vector<DeviceWorkWindow> windows;
  std::string first = add_window(run, window, trace, windows);
  windows.clear();
  if (refused.empty()) refused = std::move(first);
  for (std::int64_t done = 0; done < run.steps.device_work; done += run.steps.window) {
    std::string lost = add_window(run, window, trace, windows);
    if (refused.empty()) refused = std::move(lost);
  }
  trace.stop();
  if (!refused.empty()) return refused;
  return windows;
}

}  // namespace stepgate
