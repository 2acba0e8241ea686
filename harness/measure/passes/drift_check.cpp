#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/text/number_format.h"
#include "measure/passes/steady_state.h"
#include "measure/passes/timed_passes.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

// This check runs once per process, and nothing corrects a false alarm: at 2 standard errors it would call one quiet
// process in twenty drifting, at 2.5 one in eighty. Simulated over 60 steps in windows of 10: independent noise of 2 to
// 25 % is flagged in 0 to 2 % of processes, AR(0.7) in 5 to 6 %; noise that lasts for half the pass, AR(0.95) or mode
// switches every 20 steps, in 17 to 31 %: within one process that cannot be told from a drift.
constexpr double drift_errors = 2.5;

/// What can be compared over the pass: steps where the host clock times them, windows where only a window's end
/// is synchronised with the device.
struct Observations {
  std::vector<Pace> paces;
  std::size_t per_window = 1;
};

Pace pace_of(const StepSample& step) { return {step.wall_ns, step.samples, step.padded_tokens}; }

Pace pace_of(const Window& window, std::span<const StepSample> steps) {
  Pace result{window.wall_ns / window.steps, 0, 0};
  for (const StepSample& step : steps) {
    result.samples += step.samples;
    result.padded_tokens += step.padded_tokens;
  }
  return result;
}

Observations observe(const TimedPass& pass) {
  Observations result;
  const bool asynchronous = std::any_of(pass.steps.begin(), pass.steps.end(),
                                        [](const StepSample& step) { return step.device_ns.has_value(); });
  for (const Window& window : pass.windows) {
    const auto steps =
        std::span(pass.steps)
            .subspan(static_cast<std::size_t>(window.first_step), static_cast<std::size_t>(window.steps));
    if (window.left_out() || steps.empty()) continue;
    if (asynchronous) {
      result.paces.push_back(pace_of(window, steps));
    } else {
      result.per_window = steps.size();
      for (const StepSample& step : steps) result.paces.push_back(pace_of(step));
    }
  }
  return result;
}

/// Standard error of the difference of two halves from the scatter of whole windows within each half (batch means):
/// noise that lasts longer than a step widens it, where the scatter of single steps would not show it.
double batch_error(std::span<const double> values, std::size_t per_window) {
  const std::size_t windows = values.size() / per_window / 2;  // in each half
  if (windows < 2) return 0;
  double squares = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    std::vector<double> medians;
    for (std::size_t i = 0; i < windows; ++i) {
      const std::size_t at = (half == 0 ? i : values.size() / per_window - 1 - i) * per_window;
      medians.push_back(median(values.subspan(at, per_window)));
    }
    double mean = 0;
    for (double median : medians) mean += median / static_cast<double>(windows);
    for (double median : medians) squares += (median - mean) * (median - mean);
  }
  const double variance = squares / static_cast<double>(2 * windows - 2);
  return std::sqrt(variance * 2 / static_cast<double>(windows));
}

}  // namespace

void recheck_steady(const TimedPass& e2e, Warmup& warmup) {
  const Observations seen = observe(e2e);
  const std::size_t half = seen.paces.size() / 2;
  if (half == 0) return;
  const PerWork work = per_work(seen.paces);
  const std::span<const double> values = work.ns;
  const Level first = level_of(values.first(half));
  Level second = level_of(values.last(half));
  second.standard_error = std::max(second.standard_error, batch_error(values, seen.per_window));
  const Agreement halves = agreement(first, second, drift_errors);
  if (halves.holds()) return;
  warmup.steady = false;
  warmup.reasons.push_back(
      fmt::format("drifted during the timed steps: {} per {} in the first half, {} in the second ({}, tolerance {})",
                  duration_text(first.median), work.unit, duration_text(second.median), change_text(halves.change),
                  share_text(halves.tolerance)));
}

}  // namespace stepgate
