#include "experiment/swept/sweep_rounds.h"

#include <fmt/format.h>

#include "experiment/plan/case_plan.h"
#include "experiment/swept/sweep_grid.h"
#include "system/elapsed.h"

namespace stepgate {

SweepRounds::SweepRounds(const Caller& caller, LaunchRequest request, const std::filesystem::path& folder,
                         std::size_t planned)
    : caller_(caller), request_(std::move(request)), folder_(folder), planned_(planned) {
  request_.plan.timed_replicates = 1;
}

std::vector<Measurement> SweepRounds::measure(std::size_t round, SweepSamples& samples) {
  std::vector<Measurement> settings(samples.sweep().settings.size());
  for (const std::size_t setting : samples.sweep().orders.at(round)) {
    if (caller_.interrupted.load() != 0) break;
    if (!samples.has_failed(setting)) {
      settings[setting] = measured(round, setting, samples);
      samples.add(round, setting, settings[setting]);
    }
    ++done_;
  }
  return settings;
}

Measurement SweepRounds::measured(std::size_t round, std::size_t setting, const SweepSamples& samples) const {
  LaunchRequest request = request_;
  request.plan = plan_of_setting(request_.plan, samples.sweep().parameters, samples.values_of(setting));
  request.out_dir = folder_ / fmt::format("runs/r{:03}-s{:03}", round, setting);
  return measure_case(request, callbacks(samples));
}

/// The launcher counts the one process that it was asked for; a person wants the place in the whole sweep.
LaunchCallbacks SweepRounds::callbacks(const SweepSamples& samples) const {
  ProcessesSoFar so_far{.done = done_,
                        .planned = static_cast<std::int64_t>(planned_ * samples.sweep().settings.size())};
  if (done_ > 0) {
    const double each_s = seconds_since(start_) / static_cast<double>(done_);
    so_far.remaining_s = each_s * static_cast<double>(so_far.planned - done_);
  }
  return callbacks_for(caller_, so_far);
}

}  // namespace stepgate
