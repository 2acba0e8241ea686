#include "measure/profile/profile_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "core/study/best_peaks.h"
#include "measure/passes/step_window.h"
#include "measure/profile/experiments/repeated_blocks.h"
#include "measure/profile/experiments/step_variants.h"
#include "measure/profile/kineto_trace.h"
#include "measure/profile/machine_peaks.h"
#include "measure/profile/observed_steps.h"
#include "measure/profile/operator_replay.h"
#include "measure/profile/product_replay.h"

namespace stepgate {
namespace {

constexpr std::int64_t steps_to_observe = 20;
/// The differential profile compares operators of two builds, which takes more steps.
constexpr std::int64_t observed_steps_alone = 60;
constexpr std::int64_t looked_at_steps = 2;
constexpr std::int64_t looked_at_windows = 4;
/// Time limit of all blocks, since steps under experiments may take longer than those that the blocks are planned from.
constexpr std::int64_t most_blocks_ns = 8'000'000'000;
/// Below, a loader's wait is noise.
constexpr double waits_for_data = 0.05;

std::int64_t in_whole_windows(std::int64_t steps, std::int64_t window) {
  return (steps + window - 1) / window * window;
}

/// Steps before the experiments: how long one takes, how much that varies, and its share of waiting for data.
struct StepPace {
  double step_ns = 0;
  double window_sd_ns = 0;  ///< standard deviation of a window's step time
  double data_share = 0;
};

StepPace pace_of(TimedRun& run) {
  const TimedPass pass = run_windows(run, looked_at_windows * run.steps.window);
  StepPace pace;
  double squares = 0;
  for (const Window& window : pass.windows) {
    const double ns = static_cast<double>(window.wall_ns) / static_cast<double>(window.steps);
    pace.step_ns += ns / looked_at_windows;
    squares += ns * ns / looked_at_windows;
  }
  pace.window_sd_ns = std::sqrt(std::max(0.0, squares - pace.step_ns * pace.step_ns));
  double waited_ns = 0;
  for (const StepSample& step : pass.steps) {
    waited_ns += static_cast<double>(step.host_ns[static_cast<std::size_t>(Boundary::data_wait)]);
  }
  pace.data_share = waited_ns / (pace.step_ns * static_cast<double>(pass.steps.size()));
  return pace;
}

/// max(5 % of a step, 5 standard errors of a block's step time); ranks take the same.
std::int64_t delay_of(const TimedRun& run, const StepPace& pace) {
  const double delay_ns = std::max(0.05 * pace.step_ns, 5 * pace.window_sd_ns / std::sqrt(2.0));
  const auto microseconds = static_cast<std::int64_t>(std::ceil(std::min(delay_ns, pace.step_ns) / 1e3));
  return std::max<std::int64_t>(1, least_of_ranks(run.agree, microseconds)) * 1000;
}

/// If the step waits for a loader with a queue, the loader is as fast as the step: beside the step its threads may be
/// slower than alone. A loader is unclear only if the step does not wait for it: else a queue was longer than the
/// probe. All ranks take it as clear if it is so on one of them.
LoaderFacts loader_of(const ProfileRequest& request, TimedRun& run, const StepPace& pace) {
  if (request.workload == nullptr) return {};
  LoaderFacts facts = probe_loader(run.actions, run.backend,
                                   [](std::int64_t ns) { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); });
  if (facts.depth > 0 && pace.data_share > waits_for_data) {
    facts.period_ns = std::max(facts.period_ns, static_cast<std::int64_t>(pace.step_ns));
  }
  facts.unclear = facts.unclear && pace.data_share <= waits_for_data;
  if (run.agree) facts.unclear = run.agree(facts.unclear);
  return facts;
}

/// Whether variants may change with each step: nothing of a step goes on beside the next, neither on a device nor in a
/// loader that fills a queue. Of a loop with a loader of its own only the wait for it is known.
bool may_change_each_step(const ProfileRequest& request, const TimedRun& run, const StepPace& pace,
                          const LoaderFacts& loader) {
  const bool knows_loader = request.workload != nullptr || pace.data_share <= waits_for_data;
  const bool mine = !request.device.is_cuda() && loader.depth == 0 && knows_loader;
  return run.agree ? run.agree(mine) : mine;
}

BlockPlan agreed_plan(const TimedRun& run, const BlockRequest& wanted) {
  BlockRequest request = wanted;
  // In microseconds, since all ranks must run the same steps; the shortest step gives the longest blocks.
  request.step_ns = std::max<std::int64_t>(1, least_of_ranks(run.agree, wanted.step_ns / 1000)) * 1000;
  return plan_blocks(request);
}

/// A step that can be altered, and its run, which goes on from that of the request.
struct AlteredRun {
  explicit AlteredRun(const ProfileRequest& request)
      : step(request.step, request.run.backend,
             [&backend = request.run.backend](std::int64_t until_ns) {
               while (backend.now_ns() < until_ns) {
               }
             }),
        run{.actions = step,
            .backend = request.run.backend,
            .steps = request.run.steps,
            .seen_shapes = request.run.seen_shapes,
            .next_step = request.run.next_step,
            .agree = request.run.agree} {}
  AlteredRun(const AlteredRun&) = delete;
  AlteredRun& operator=(const AlteredRun&) = delete;

  AlteredStep step;
  TimedRun run;
};

void repeat_places(const ProfileRequest& request, ProfileRun& found) {
  AlteredRun altered(request);
  const StepPace pace = pace_of(altered.run);
  const LoaderFacts loader = loader_of(request, altered.run, pace);
  RepeatedBlocks repeated = repeat_calls({.run = altered.run,
                                          .altered = altered.step,
                                          .places = request.choice.repeats,
                                          .step_ns = static_cast<std::int64_t>(pace.step_ns),
                                          .seed = request.choice.order_seed,
                                          .in_turns = may_change_each_step(request, altered.run, pace, loader)});
  found.repeats = std::move(repeated.blocks);
  found.repeated_calls = std::move(repeated.calls);
  found.repeating_ns = repeated.repeating_ns;
  found.absent.merge(repeated.absent);
  request.run.next_step = altered.run.next_step;
}

void run_experiments(const ProfileRequest& request, ProfileRun& found) {
  AlteredRun altered_run(request);
  AlteredStep& altered = altered_run.step;
  TimedRun& run = altered_run.run;
  const StepPace pace = pace_of(run);
  VariantRequest wanted{.run = run,
                        .altered = altered,
                        .step = request.workload,
                        .on_cuda = request.device.is_cuda(),
                        .ranks = request.ranks,
                        .loader = loader_of(request, run, pace),
                        .delay_ns = delay_of(run, pace)};
  const std::vector<torch::Tensor> parameters = request.step.parameters();
  if (request.workload != nullptr) {
    const ObservedSteps look = observe_steps(run, parameters, looked_at_steps);
    wanted.optimizer = optimizer_seen(look.work, std::ssize(parameters));
  }
  StepVariants variants = step_variants(wanted);
  found.absent.merge(variants.absent);
  const std::int64_t all_variants = std::ssize(variants.variants);
  keep_chosen(request.choice.experiments, variants);
  const LoaderFacts queue{.depth = least_of_ranks(run.agree, wanted.loader.depth)};
  const bool in_turns = may_change_each_step(request, run, pace, queue);
  const BlockPlan plan = agreed_plan(run, {.step_ns = static_cast<std::int64_t>(pace.step_ns),
                                           .variants = std::ssize(variants.variants),
                                           .all_variants = all_variants,
                                           .window = run.steps.window,
                                           .asked_steps = run.steps.profile,
                                           .loader_depth = queue.depth,
                                           .in_turns = in_turns});
  found.blocks = run_variant_blocks({.run = run,
                                     .variants = variants.variants,
                                     .plan = plan,
                                     .seed = request.choice.order_seed,
                                     .before_each = [&] { empty_queue(run.actions, queue); },
                                     .in_turns = in_turns,
                                     .most_ns = most_blocks_ns});
  request.run.next_step = run.next_step;
}

void observe(const ProfileRequest& request, ProfileRun& found) {
  const std::int64_t asked = request.run.steps.profile;
  const std::int64_t wanted = request.choice.parts != ProfileParts::observe ? steps_to_observe
                              : asked > 0                                   ? asked
                                                                            : observed_steps_alone;
  ObservedSteps steps =
      observe_steps(request.run, request.step.parameters(), in_whole_windows(wanted, request.run.steps.window));
  found.observed = std::move(steps.work);
  found.observed_wall_ns = steps.observed_wall_ns;
  found.unobserved_wall_ns = steps.unobserved_wall_ns;
}

/// Before anything is observed as well as behind it: a machine that changes its speed must not give a roof that the
/// step exceeds.
void measure_machine_again(const ProfileRequest& request, ProfileRun& found) {
  raise_peaks(measure_peaks({request.device, request.run.backend, &*found.observed}), found.peaks);
  const ReplayRequest request_of_step{
      .work = *found.observed,
      .device = request.device,
      .backend = request.run.backend,
      .step_ns = found.unobserved_wall_ns / std::max<std::int64_t>(1, found.observed->steps)};
  found.replays = replay_operators(request_of_step);
  found.products = replay_products(request_of_step);
  if (found.replays.empty()) {
    found.absent["operator-replay"] = "no operator above 3 % of the step whose arguments can be made again";
  }
}

std::int64_t calls_per_step(const ProfileRun& found) {
  if (!found.observed || found.observed->steps == 0) return 0;
  std::int64_t calls = 0;
  for (const OperatorSite& site : found.observed->sites) calls += site.calls;
  return calls / found.observed->steps;
}

void write_trace(const ProfileRequest& request, ProfileRun& found) {
  const ProfileChoice& choice = request.choice;
  const std::int64_t calls = calls_per_step(found);
  TracedSteps traced = trace_steps(request.run, {.file = choice.trace,
                                                 .schedule = choice.schedule,
                                                 .writes = choice.writes_trace,
                                                 .on_cuda = request.device.is_cuda(),
                                                 .calls_per_step = calls});
  if (!choice.writes_trace) return;
  found.device_times = std::move(traced.device_times);
  if (request.device.is_cuda() && found.device_times.empty()) {
    found.absent["device times"] = "the profiler saw no kernels: it may not use CUPTI here";
  }
  if (!traced.problem.empty()) {
    found.absent["trace"] = traced.problem;
    return;
  }
  found.trace = choice.trace.filename().string();
  if (const std::int64_t steps = steps_that_fit(choice.schedule, calls); steps < choice.schedule.active) {
    found.absent["later steps of the trace"] =
        fmt::format("a step calls {} operators, and a file takes {} calls: it has {} of {} steps", calls,
                    most_traced_calls, steps, choice.schedule.active);
  }
}

}  // namespace

ProfileRun run_profile(const ProfileRequest& request) {
  ProfileRun found;
  const ProfileParts parts = request.choice.parts;
  if (parts == ProfileParts::repeats) {
    repeat_places(request, found);
    return found;
  }
  if (parts == ProfileParts::all) found.peaks = measure_peaks({request.device, request.run.backend});
  if (parts != ProfileParts::observe) run_experiments(request, found);
  if (parts != ProfileParts::experiments) observe(request, found);
  if (parts == ProfileParts::all) measure_machine_again(request, found);
  if (!request.choice.trace.empty()) write_trace(request, found);
  return found;
}

}  // namespace stepgate
