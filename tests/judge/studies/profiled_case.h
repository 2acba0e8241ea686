// A profile whose blocks have chosen step times.
#pragma once

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "judge/studies/experiment_verdict.h"

namespace stepgate {

inline constexpr double step_ns = 10e6;

/// Blocks of one step each, so that the wall time of a block is that of its step.
class ProfiledCase {
 public:
  /// One process whose steps are all `factor` times as long; `wobble` alternates over the rounds.
  void add_process(double factor, double wobble = 0) {
    Replicate& replicate = measurement.replicates.emplace_back();
    replicate.group = Group::profile;
    replicate.index = std::ssize(factors_);
    replicate.record.emplace();
    replicate.record->profile.emplace();
    factors_.push_back(factor);
    wobbles_.push_back(wobble);
    add("baseline", {1});
  }

  ProfileRun& run(std::size_t process) { return *measurement.replicates[process].record->profile; }

  /// In every process, or one ratio for each of them: step of the variant / step of the baseline.
  void add(const std::string& variant, const std::vector<double>& ratios, double delay_share = 0) {
    const bool last_only = variant == "baseline";
    for (std::size_t i = last_only ? factors_.size() - 1 : 0; i < factors_.size(); ++i) {
      const double ratio = ratios.size() == 1 ? ratios[0] : ratios[i];
      for (std::int64_t round = 0; round < rounds; ++round) {
        const double noise = std::exp(wobbles_[i] * (round % 2 == 0 ? 1 : -1));
        run(i).blocks.push_back({.variant = variant,
                                 .round = round,
                                 .delay_ns = std::llround(delay_share * step_ns),
                                 .wall_ns = std::llround(step_ns * factors_[i] * ratio * noise),
                                 .steps = 1});
      }
    }
  }

  ExperimentResult result(Experiment experiment, const ExperimentRules& rules = {}) const {
    return experiment_results(
        {.profile = measurement, .timed = timed, .doubled_batch = doubled.replicates.empty() ? nullptr : &doubled},
        rules)[static_cast<std::size_t>(experiment)];
  }

  Measurement measurement;
  Measurement timed;
  Measurement doubled;
  std::int64_t rounds = 4;

 private:
  std::vector<double> factors_;
  std::vector<double> wobbles_;
};

inline ProfiledCase four_processes() {
  ProfiledCase made;
  for (const double factor : {1.0, 1.2, 0.9, 1.5}) made.add_process(factor);
  return made;
}

inline double width(const ExperimentResult& result) { return result.interval->upper - result.interval->lower; }

}  // namespace stepgate
