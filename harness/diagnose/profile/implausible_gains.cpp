#include "diagnose/profile/implausible_gains.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/boundary.h"
#include "core/study/experiment_contrast.h"
#include "core/text/number_format.h"
#include "diagnose/profile/step/step_means.h"
#include "diagnose/profile/step/step_statistics.h"

namespace stepgate {
namespace {

/// 20 us, within which a batch comes that is called too fast (core/study/experiment.h), are 5 % of it: the share from
/// which waiting for data may matter (diagnose/profile/gain_kinds.cpp).
constexpr double least_step_beside_a_fast_loader_ns = 400e3;

void doubt(Boundary removed, double share, double margin, ExperimentResult& result) {
  if (!result.interval || result.proof != Proof::proven) return;
  if (result.interval->lower <= room_for_caches * share + margin) return;
  result.proof = Proof::undecided;
  result.more_processes.reset();
  result.remark = fmt::format(
      "contradicts the phase pass: it wins at least {}, but {} takes {} of the step; the blocks were disturbed",
      share_text(result.interval->lower), name_of(removed), share_text(share));
}

void refute(double share, double margin, const std::string& what, ExperimentResult& result) {
  if (!result.interval || result.proof != Proof::undecided || !(room_for_caches * share <= margin)) return;
  result.proof = Proof::refuted;
  result.more_processes.reset();
  result.remark = fmt::format("{} takes {} of the step, so removing it wins less than {}", what, share_text(share),
                              share_text(margin));
}

/// The time to load a batch with all CPUs of the case; absent if no batch was loaded alone.
std::optional<double> loading_ns(const Measurement& timed) {
  const auto alone_ns = loading_time_ns(clean_records(timed, Group::timed));
  if (!alone_ns) return std::nullopt;
  return *alone_ns * static_cast<double>(std::max({timed.plan.cpus, timed.plan.threads, std::int64_t{1}}));
}

bool reaches_the_step(const std::vector<ExperimentResult>& experiments) {
  return std::ranges::any_of(experiments, [](const ExperimentResult& result) {
    return result.experiment == Experiment::delayed_loader && result.proof == Proof::proven;
  });
}

/// What the step wins at least without the loader: the copy goes with it, and its gain is taken off.
double least_loader_gain(const std::vector<ExperimentResult>& experiments, const ExperimentResult& synthetic) {
  const auto copy = std::ranges::find(experiments, Experiment::resident_batch, &ExperimentResult::experiment);
  const bool measured = copy != experiments.end() && copy->interval;
  return measured ? gain_beyond(*synthetic.interval, *copy->interval).lower : synthetic.interval->lower;
}

/// If batches come too fast to limit the step, a gain without them shows that something disturbed the blocks.
void doubt_fast_loader(double margin, Profile& profile) {
  if (!loader_is_too_fast(profile)) return;
  for (ExperimentResult& result : profile.experiments) {
    if (result.experiment != Experiment::synthetic_batch || result.proof != Proof::proven || !result.interval) continue;
    if (least_loader_gain(profile.experiments, result) <= margin) continue;
    result.proof = Proof::undecided;
    result.more_processes.reset();
    result.remark = fmt::format("contradicts the loader: {}; the blocks were disturbed", too_fast_to_delay);
  }
}

/// Graphs that logging keeps alive cost time in all boundaries.
bool logging_costs_its_own_time_only(const ProfileInput& input) {
  return counted_per_step(input.exact, "held_graphs_per_step") == 0.0;
}

}  // namespace

bool loader_is_too_fast(const Profile& profile) {
  const auto why = profile.absent.find(std::string(name_of(Experiment::delayed_loader)));
  return why != profile.absent.end() && why->second == too_fast_to_delay &&
         profile.step.mean_ns >= least_step_beside_a_fast_loader_ns;
}

void doubt_implausible_gains(Profile& profile, double ignore_margin) {
  doubt_fast_loader(ignore_margin, profile);
  if (!(profile.step.mean_ns > 0)) return;
  for (ExperimentResult& result : profile.experiments) {
    const std::optional<Boundary> removed = row_of(result.experiment).removes;
    if (!removed) continue;
    const auto component = profile.components.find(std::string(name_of(*removed)));
    if (component == profile.components.end()) continue;
    doubt(*removed, component->second / profile.step.mean_ns, ignore_margin, result);
  }
}

void refute_gains_of_small_boundaries(const ProfileInput& input, std::vector<ExperimentResult>& experiments) {
  const Records records = clean_records(input.timed, Group::timed);
  const double step_ns = step_statistics(records).mean_ns;
  if (runs_on_gpu(input.timed) || !(step_ns > 0)) return;
  const auto components = component_times(records);
  for (ExperimentResult& result : experiments) {
    const std::optional<Boundary> removed = row_of(result.experiment).removes;
    if (!removed || (removed == Boundary::logging && !logging_costs_its_own_time_only(input))) continue;
    const auto component = components.find(std::string(name_of(*removed)));
    if (component == components.end()) continue;
    refute(component->second / step_ns, input.ignore_margin, std::string(name_of(*removed)), result);
  }
  const auto loading = loading_ns(input.timed);
  if (!loading || reaches_the_step(experiments)) return;
  for (ExperimentResult& result : experiments) {
    if (result.experiment != Experiment::synthetic_batch) continue;
    refute(*loading / step_ns, input.ignore_margin, "loading a batch", result);
  }
}

}  // namespace stepgate
