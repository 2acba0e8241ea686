#include "experiment/studies/profiled/experiment_looks.h"

#include <iterator>
#include <optional>

#include "diagnose/profile/implausible_gains.h"
#include "judge/studies/experiment_verdict.h"
#include "judge/studies/profile_looks.h"

namespace stepgate {
namespace {

double least_gain_of(const ProfileOptions& options) {
  return options.proving == Proving::all ? 0 : gain_worth_processes;
}

}  // namespace

std::vector<ExperimentResult> ExperimentLooks::results_at(std::size_t look) const {
  const auto given = [](const std::optional<Measurement>& one) { return one ? &*one : nullptr; };
  std::vector<ExperimentResult> all =
      experiment_results({.profile = input_.profile,
                          .timed = input_.timed,
                          .doubled_batch = given(input_.doubled_batch),
                          .doubled_threads = given(input_.doubled_threads),
                          .first_look = first_look_,
                          .ended = ended_},
                         {.level = 1 - error_of_look(look, looks_of(options_)), .ignore_margin = input_.ignore_margin});
  for (ExperimentResult& result : all) {
    if (result.effect) continue;
    const bool could_run = row_of(result.experiment).arrangement != Arrangement::later;
    if (const auto reason = absent_.find(result.experiment); reason != absent_.end()) {
      result.absent = reason->second;
    } else if (could_run && options_.proving == Proving::off) {
      result.absent = "not asked for: --prove off";
    }
  }
  return all;
}

/// A result is decided if no further process could change it.
std::vector<ExperimentResult> ExperimentLooks::decided_at(std::size_t look) const {
  std::vector<ExperimentResult> all = results_at(look);
  refute_gains_of_small_boundaries(input_, all);
  return all;
}

std::vector<Experiment> ExperimentLooks::next_experiments() const {
  if (look_ + 1 >= looks_of(options_)) return {};
  const double least_gain = least_gain_of(options_);
  const auto left = static_cast<std::int64_t>(looks_of(options_) - look_ - 1) * default_profile_processes;
  const std::vector<ExperimentResult> now = decided_at(look_);
  if (!is_another_look_worth_it(now, decided_at(look_ + 1), {.most = left, .least_gain = least_gain})) return {};
  return experiments_of_next_look(now, least_gain);
}

void ExperimentLooks::go_on_with(const std::vector<Experiment>& chosen) {
  ended_ = ended_before(results(), chosen);
  if (look_ == 0) first_look_ = std::ssize(input_.profile.replicates);
  ++look_;
}

}  // namespace stepgate
