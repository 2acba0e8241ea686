#include "experiment/seed_runs.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/progress.h"
#include "experiment/pair_run.h"
#include "experiment/result_files.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

struct SeedRun {
  bool is_base;
  std::uint64_t seed;

  const char* side() const { return is_base ? "base" : "head"; }
};

Measurement measure_run(const AbCase& ab, const SeedRun& run, const LaunchCallbacks& callbacks) {
  const auto number = run.seed - ab.request.plan.seed;
  const auto folder = ab.folder / "seeds" / fmt::format("{:03}", number) / run.side();
  if (auto before = taken_over(folder)) return std::move(*before);
  LaunchRequest request = ab.request;
  request.program = run.is_base ? ab.builds.base : ab.builds.head;
  request.out_dir = folder;
  request.groups = {Group::exact};
  request.plan.seed = run.seed;
  request.plan.exact_replicates = 1;
  request.plan.steps["numerics"] = ab.plan.seed_steps;
  Measurement measurement = measure_case(request, callbacks);
  write_measurement(folder, measurement);
  return measurement;
}

void add_run(const Measurement& measurement, const SeedRun& run, LossTrajectories& trajectories) {
  auto& runs = run.is_base ? trajectories.base : trajectories.head;
  SeededLosses losses{.seed = run.seed, .losses = {}};
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.failure) {
      trajectories.failures.push_back(
          fmt::format("{} build, seed {}: {}", run.side(), run.seed, replicate.failure->message));
    } else if (replicate.record && replicate.record->numerics) {
      losses.losses = replicate.record->numerics->loss;
    }
  }
  runs.push_back(std::move(losses));
}

}  // namespace

LossTrajectories measure_seeds(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted) {
  LossTrajectories trajectories;
  const std::int64_t runs = 2 * ab.plan.seeds;
  const auto start = Clock::now();
  for (std::int64_t i = 0; i < runs && trajectories.failures.empty(); ++i) {
    const SeedRun run{.is_base = i % 2 == 0, .seed = ab.request.plan.seed + static_cast<std::uint64_t>(i / 2)};
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - start).count();
    const auto measurement = measure_run(ab, run, {progress_line(context.options, {i, runs, elapsed_s}), &interrupted});
    if (was_interrupted(measurement)) break;
    add_run(measurement, run, trajectories);
  }
  clear_progress_line(context.options);
  return trajectories;
}

}  // namespace stepgate
