#include "cli/seed_runs.h"

#include <fmt/format.h>

#include "cli/pair_run.h"
#include "cli/progress.h"
#include "cli/result_files.h"

namespace stepgate {
namespace {

struct SeedRun {
  const char* side;
  const std::filesystem::path& program;
  std::uint64_t seed;
};

Measurement measure_run(const AbCase& ab, const SeedRun& run, const LaunchCallbacks& callbacks) {
  const auto number = run.seed - ab.request.plan.seed;
  const auto folder = ab.folder / "seeds" / fmt::format("{:03}", number) / run.side;
  if (auto before = taken_over(folder)) return std::move(*before);
  LaunchRequest request = ab.request;
  request.program = run.program;
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
  auto& runs = std::string_view(run.side) == "base" ? trajectories.base : trajectories.head;
  SeededLosses losses{.seed = run.seed, .losses = {}};
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.failure) {
      trajectories.failures.push_back(
          fmt::format("{} build, seed {}: {}", run.side, run.seed, replicate.failure->message));
    } else if (replicate.record && replicate.record->numerics) {
      losses.losses = replicate.record->numerics->loss;
    }
  }
  runs.push_back(std::move(losses));
}

/// The launcher counts one process; a person wants the place in the whole.
std::function<void(const LaunchProgress&)> counted(const Options& options, std::int64_t done, std::int64_t planned) {
  const auto line = progress_line(options);
  if (!line) return {};
  return [line, done, planned](LaunchProgress progress) {
    progress.started = done;
    progress.planned = planned;
    line(progress);
  };
}

}  // namespace

LossTrajectories measure_seeds(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted) {
  LossTrajectories trajectories;
  std::int64_t done = 0;
  for (std::int64_t i = 0; i < 2 * ab.plan.seeds && trajectories.failures.empty(); ++i) {
    const bool is_base = i % 2 == 0;
    const SeedRun run{.side = is_base ? "base" : "head",
                      .program = is_base ? ab.builds.base : ab.builds.head,
                      .seed = ab.request.plan.seed + static_cast<std::uint64_t>(i / 2)};
    const auto measurement = measure_run(ab, run, {counted(context.options, done++, 2 * ab.plan.seeds), &interrupted});
    if (was_interrupted(measurement)) break;
    add_run(measurement, run, trajectories);
  }
  clear_progress_line(context.options);
  return trajectories;
}

}  // namespace stepgate
