#include "experiment/swept/sweep_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "experiment/swept/sweep_grid.h"
#include "judge/studies/sweep_values.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The smallest number over all processes, since nodes may differ. 0 if no process told.
std::int64_t fewest_cpus(std::int64_t before, const Measurement& measurement) {
  const auto had = measurement.host.find("affinity_count");
  if (had == measurement.host.end()) return before;
  const std::int64_t now = std::strtoll(had->second.c_str(), nullptr, 10);
  return before == 0 ? now : std::min(before, now);
}

}  // namespace

SweepSamples::SweepSamples(Sweep sweep) : sweep_(std::move(sweep)) {
  const auto grid = grid_of(sweep_.parameters);
  sweep_.settings.resize(grid.size());
  for (std::size_t i = 0; i < grid.size(); ++i) sweep_.settings[i].values = grid[i];
  beside_.resize(grid.size());
}

void SweepSamples::add(std::size_t round, std::size_t setting, const Measurement& measurement) {
  sweep_.cpus_had = fewest_cpus(sweep_.cpus_had, measurement);
  if (measurement.replicates.empty() || has_failed(setting)) return;
  const Replicate& replicate = measurement.replicates.back();
  SweepSetting& into = sweep_.settings[setting];
  if (replicate.failure) {
    if (replicate.failure->kind == FailureKind::interrupted) return;
    into.failure = replicate.failure->message;
    into.output_tail = replicate.failure->output_tail;
    return;
  }
  if (!replicate.record || !replicate.taint_reasons.empty()) {
    ++into.tainted;
    return;
  }
  const SweepReading reading = sweep_reading(*replicate.record, sweep_.metric);
  if (!reading.value) {
    into.failure = fmt::format("no {}: {}", sweep_.metric, reading.absent);
    return;
  }
  into.by_round[static_cast<std::int64_t>(round)] = *reading.value;
  for (const auto& [name, value] : reading.beside) beside_[setting][name].push_back(value);
}

Sweep SweepSamples::finished() && {
  for (std::size_t i = 0; i < beside_.size(); ++i) {
    for (const auto& [name, values] : beside_[i]) sweep_.settings[i].beside[name] = median(values);
  }
  return std::move(sweep_);
}

Sweep empty_sweep(const std::string& case_name, const SweepPlan& plan, const Plan& process) {
  Sweep sweep;
  sweep.case_name = case_name;
  sweep.metric = plan.metric;
  sweep.parameters = plan.parameters;
  sweep.seed = process.seed;
  sweep.rounds = process.timed_replicates;
  sweep.cpus = process.cpus;
  sweep.orders = round_orders(sweep.seed, sweep.rounds, grid_of(plan.parameters).size());
  return sweep;
}

}  // namespace stepgate
