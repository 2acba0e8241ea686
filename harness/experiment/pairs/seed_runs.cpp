#include "experiment/pairs/seed_runs.h"

#include <fmt/format.h>

#include "experiment/plan/measurement_files.h"

namespace stepgate {
namespace {

struct SeedRun {
  bool is_base;
  std::uint64_t seed;

  const char* side() const { return is_base ? "base" : "head"; }
};

Measurement measure_seed_run(const PairCase& pair_case, const SeedRun& run, const LaunchCallbacks& callbacks) {
  const auto number = run.seed - pair_case.case_plan.request.plan.seed;
  const auto folder = pair_case.folder / "seeds" / fmt::format("{:03}", number) / run.side();
  LaunchRequest request = pair_case.case_plan.request;
  request.program = run.is_base ? pair_case.builds.base : pair_case.builds.head;
  const MeasurementIdentity identity{pair_case.plan.case_name, request.program, run.seed};
  if (auto before = completed_measurement(folder, identity)) return std::move(*before);
  request.out_dir = folder;
  request.groups = {Group::exact};
  request.plan.seed = run.seed;
  request.plan.exact_replicates = 1;
  request.plan.steps["numerics"] = pair_case.plan.seed_steps;
  Measurement measurement = measure_case(request, callbacks);
  write_measurement(folder, measurement);
  return measurement;
}

void add_run(const Measurement& measurement, const SeedRun& run, LossTrajectories& trajectories) {
  auto& runs = run.is_base ? trajectories.base : trajectories.head;
  SeededLosses losses{.seed = run.seed, .losses = {}};
  for (const Replicate& replicate : measurement.replicates) {
    if (counts_as_failed(replicate)) {
      trajectories.failures.push_back(
          fmt::format("{} build, seed {}: {}", run.side(), run.seed, replicate.failure->message));
    } else if (replicate.record && replicate.record->numerics) {
      losses.losses = replicate.record->numerics->loss;
    }
  }
  runs.push_back(std::move(losses));
}

}  // namespace

LossTrajectories measure_seeds(const PairCase& pair_case, const Caller& caller) {
  LossTrajectories trajectories;
  const std::int64_t runs = 2 * pair_case.plan.seeds;
  const std::uint64_t first_seed = pair_case.case_plan.request.plan.seed;
  for (std::int64_t i = 0; i < runs && trajectories.failures.empty(); ++i) {
    const SeedRun run{.is_base = i % 2 == 0, .seed = first_seed + static_cast<std::uint64_t>(i / 2)};
    const Measurement measurement =
        measure_seed_run(pair_case, run, callbacks_for(caller, {.done = i, .planned = runs}));
    if (was_interrupted(measurement)) break;
    add_run(measurement, run, trajectories);
  }
  return trajectories;
}

}  // namespace stepgate
