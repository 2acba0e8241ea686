// The timed passes: warm-up to a steady state, then passes with fixed step counts.
// Inside a window stepgate does nothing of its own: no synchronisation, allocation, logging, lock or system call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/record/run_record.h"
#include "measure/device/backend.h"
#include "measure/device/work/device_work_trace.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// What the timed passes of one process share. Pass the same one to warm_up() and then to each pass:
/// `TimedRun run{actions, backend, steps}; record.warmup = warm_up(run); record.timed["e2e"] = run_e2e(run);`
/// If the workload is rebuilt between passes, make a new one and copy `seen_shapes` into it.
struct TimedRun {
  StepActions& actions;
  Backend& backend;
  StepCounts steps;
  std::set<std::uint64_t> seen_shapes = {};  ///< by warm-up and earlier passes; others are tagged cold_shape
  std::int64_t next_step = 0;                ///< number for StepActions::run, counted over all passes
  /// Device events are recorded in every n-th window of a pass, from its first one. warm_up() sets it (event_cost.h).
  std::int64_t marked_window_every = 1;
  /// The loss scaler skipped the update of the cold first step, so its time does not count as that of a first step.
  /// warm_up() sets it.
  bool first_update_skipped = false;
  /// If several processes train together: waits for all of them and returns true if all of them passed true.
  /// Called between windows only. All ranks must run the same number of steps, or one rank waits for gradients that
  /// another never sends.
  std::function<bool(bool mine)> agree = {};
  /// Called after the cold first step and after each window of run_e2e(): in alternating windows the other process of
  /// the pair runs now (window_token.h).
  std::function<void()> yield = {};
  std::optional<BackgroundCpu> background = std::nullopt;  ///< run_e2e() sets it, without names of threads
};

/// Runs the cold first step (recorded apart) and then windows of steps until the steady-state criteria of
/// docs/design/measurement.md, "Steady state" hold (steady_state.h) or `steps.warmup_cap` is reached. Throws
/// Error(usage) where the step counts make no sense. With `run.agree` warm-up ends when all ranks are steady or one of
/// them gives up, on all ranks after the same number of steps.
Warmup warm_up(TimedRun& run);

/// The user's loop as written: one synchronisation at the end of each window, none inside.
/// Throws Error(usage) where `steps.e2e` is not a positive multiple of `steps.window`.
TimedPass run_e2e(TimedRun& run);

/// Device synchronised at each boundary: what each boundary costs alone. `windows` stays empty.
/// Throws Error(usage) where `steps.phase` is not positive.
TimedPass run_phase(TimedRun& run);

/// One resident batch, no loader: the compute ceiling. Loads and copies that batch before the first window.
/// Throws Error(usage) where `steps.synthetic` is not a positive multiple of `steps.window`.
TimedPass run_synthetic(TimedRun& run);

/// Draws batches and drops them: what the loader supplies without any compute. The first two windows are not recorded,
/// because workers filled their queues before them. The rate of a window is its samples over its wall time.
/// Throws Error(usage) where `steps.loader` is not a positive multiple of `steps.window`.
TimedPass run_loader(TimedRun& run);

/// How a pass that yields timed steps runs. What it returns goes to RunRecord::timed under its name.
using TimedStepsFunction = TimedPass (*)(TimedRun& run);

struct TimedStepsPass {
  Pass pass;
  TimedStepsFunction run;
};
inline constexpr std::array timed_steps_passes = {
    TimedStepsPass{Pass::e2e, run_e2e},
    TimedStepsPass{Pass::phase, run_phase},
    TimedStepsPass{Pass::synthetic, run_synthetic},
    TimedStepsPass{Pass::loader, run_loader},
};

/// nullptr for a pass that yields something else.
constexpr TimedStepsFunction timed_steps_function(Pass pass) {
  for (const TimedStepsPass& row : timed_steps_passes) {
    if (row.pass == pass) return row.run;
  }
  return nullptr;
}

static_assert(std::all_of(pass_table.begin(), pass_table.end(),
                          [](const PassRow& row) {
                            const bool has_function =
                                std::any_of(timed_steps_passes.begin(), timed_steps_passes.end(),
                                            [&](const TimedStepsPass& timed) { return timed.pass == row.pass; });
                            return (row.yields == PassYield::timed_steps) == has_function;
                          }),
              "the passes that yield timed steps are those that have a function here");

/// Blocks of `steps.window` steps with logging off, on, on, off, and so on, so that a steady drift cancels.
/// Throws Error(usage) where `steps.logging` is not a positive multiple of four windows.
std::vector<LoggingBlock> run_logging(TimedRun& run);

/// When the device worked, window by window, or why that is not known. `steps.device_work` steps after one window that
/// is not kept. Every rank runs all the steps, even where its device cannot be traced. Tracing slows the host, so this
/// is the last pass of its process. Throws Error(usage) where `steps.device_work` is not a positive multiple of
/// `steps.window`.
using DeviceWorkFound = std::variant<std::vector<DeviceWorkWindow>, std::string>;
DeviceWorkFound run_device_work(TimedRun& run, DeviceWorkTrace& trace);

/// Checks after the timed steps that they were steady: where the medians of the first and the second half of `e2e`
/// differ by more than their scatter explains (steady_state.h), sets `warmup.steady` to false and adds the reason
/// ("drifted during the timed steps: ..."). The pass stays in the record.
void recheck_steady(const TimedPass& e2e, Warmup& warmup);

}  // namespace stepgate
