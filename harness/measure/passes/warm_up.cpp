#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "measure/passes/event_cost.h"
#include "measure/passes/steady_state.h"
#include "measure/passes/step_window.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

// Two fifths of the launcher's default timeout of 300 s: the timed passes must still fit (docs/design/measurement.md,
// "Warm-up": cap steps and seconds).
constexpr std::int64_t most_wall_ns = 120'000'000'000;

MemoryMark memory_mark(Backend& backend, std::int64_t step) {
  const MemoryStats stats = backend.memory();
  return {step, stats.device_mallocs, stats.reserved_bytes, backend.minor_faults()};
}

/// Tags and windows of what `window` ran last.
TimedPass seen_in(StepWindow& window) {
  TimedPass seen;
  window.append_to(seen);
  return seen;
}

/// A window with a skipped update is shorter than a steady one, so no pace is taken from it.
void add_paces(const StepWindow& window, const Window& seen, WarmupHistory& history) {
  if (seen.skipped_update) {
    history.skipped_steps += seen.steps;
    history.steps_since_skipped_update = 0;
    return;
  }
  window.append_paces(history.paces);
  if (history.steps_since_skipped_update) *history.steps_since_skipped_update += seen.steps;
}

/// Runs one window and adds what it saw to `history`.
void run_warm_window(TimedRun& run, StepWindow& window, std::int64_t steps, WarmupHistory& history) {
  window.run(steps);
  history.wall_ns += window.wall_ns();
  const TimedPass seen = seen_in(window);
  add_paces(window, seen.windows.front(), history);
  for (const StepSample& sample : seen.steps) {
    history.steps_since_new_shape = sample.cold_shape ? 0 : history.steps_since_new_shape + 1;
  }
  history.shapes = static_cast<std::int64_t>(run.seen_shapes.size());
  history.memory.push_back(memory_mark(run.backend, 1 + history.steps()));
}

/// The cap counts steps. Short steps reach it long before the least wall time of a steady state (200 steps of 0.3 ms
/// take 60 ms), so the cap applies only after twice that time.
bool gives_up(const WarmupHistory& history, std::int64_t cap) {
  if (history.wall_ns >= most_wall_ns) return true;
  return history.steps() + 1 >= cap && history.wall_ns >= 2 * least_wall_ns(history.device_events);
}

/// Whether warm-up ends here; equal on all ranks.
struct WarmupEnd {
  bool steady = false;
  bool given_up = false;
};

WarmupEnd agreed(const TimedRun& run, WarmupEnd mine) {
  if (!run.agree) return mine;
  const bool steady = run.agree(mine.steady);
  return {steady, !run.agree(!mine.given_up)};
}

}  // namespace

Warmup warm_up(TimedRun& run) {
  const std::int64_t cap = run.steps.warmup_cap;
  require_positive({"window", run.steps.window});
  require_positive({"warmup_cap", cap});
  StepWindow window(run, run.steps.window);
  Warmup result;
  window.run(1);
  result.first_step_ns = window.wall_ns();
  if (run.yield) run.yield();
  run.first_update_skipped = seen_in(window).windows.front().skipped_update;

  WarmupHistory history{.window = run.steps.window, .device_events = run.backend.has_device_events()};
  if (run.first_update_skipped) history.steps_since_skipped_update = 0;
  history.memory.push_back(memory_mark(run.backend, 1));
  std::vector<std::string> reasons = unsteady_reasons(history);
  WarmupEnd end = agreed(run, {reasons.empty(), gives_up(history, cap)});
  while (!end.steady && !end.given_up) {
    const std::int64_t left = cap - 1 - history.steps();
    run_warm_window(run, window, left > 0 ? std::min(left, run.steps.window) : run.steps.window, history);
    reasons = unsteady_reasons(history);
    end = agreed(run, {reasons.empty(), gives_up(history, cap)});
  }
  result.steps = 1 + history.steps();
  result.steady = end.steady;
  if (run.backend.has_device_events()) {
    result.event_cost = measured_event_cost(run.backend, run.actions.boundaries(), window.step_ns());
    run.marked_window_every = result.event_cost->marked_window_every;
  }
  if (!result.steady) {
    if (reasons.empty()) reasons.push_back("this rank was steady, another one was not");
    result.reasons.push_back(fmt::format("not steady after {} warm-up steps and {} (cap: {} steps)", result.steps,
                                         duration_text(static_cast<double>(history.wall_ns)), cap));
    result.reasons.insert(result.reasons.end(), reasons.begin(), reasons.end());
  }
  return result;
}

}  // namespace stepgate
