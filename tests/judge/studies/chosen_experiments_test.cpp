// Intervals where the first look chooses what the further one runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "judge/studies/experiment_verdict.h"
#include "judge/studies/profile_looks.h"

namespace stepgate {
namespace {

constexpr std::int64_t processes_of_look = 4;
/// Blocks of a round where all experiments run, with those that are no gains.
constexpr double blocks_of_all = 10;
constexpr double block_ns = 1e9;

/// Profiles of two looks whose experiments win what they are said to.
class ChosenByTheFirstLook {
 public:
  struct Gain {
    Experiment experiment;
    double truth;
  };

  /// `noise`: of the log of a block, the median of its rounds where all experiments run.
  ChosenByTheFirstLook(std::vector<Gain> gains, double noise, bool chooses)
      : gains_(std::move(gains)), noise_(noise), chooses_(chooses) {}

  struct Outcome {
    int missed = 0;           ///< profiles in which any interval does not hold its truth
    double first_widths = 0;  ///< sum of the widths of the first gain
  };
  Outcome of(int profiles) {
    Outcome outcome;
    for (int i = 0; i < profiles; ++i) {
      const std::vector<ExperimentResult> results = profile();
      const auto misses = [&](const Gain& gain) {
        const Interval& found = *results[static_cast<std::size_t>(gain.experiment)].interval;
        return found.lower > gain.truth || found.upper < gain.truth;
      };
      outcome.missed += std::ranges::any_of(gains_, misses) ? 1 : 0;
      const Interval& first = *results[static_cast<std::size_t>(gains_.front().experiment)].interval;
      outcome.first_widths += first.upper - first.lower;
    }
    return outcome;
  }

 private:
  std::vector<ExperimentResult> profile() {
    measurement_.replicates.clear();
    std::vector<Experiment> all;
    for (const Gain& gain : gains_) all.push_back(gain.experiment);
    run_look(all, blocks_of_all);
    std::vector<ExperimentResult> now = results(0, {});
    const std::vector<Experiment> chosen = experiments_of_next_look(now, 0.05);
    if (chosen.empty()) return now;
    if (!chooses_) {
      run_look(all, blocks_of_all);
      return results(1, {});
    }
    run_look(chosen, static_cast<double>(chosen.size()) + 1);
    return results(1, ended_before(std::move(now), chosen));
  }

  std::vector<ExperimentResult> results(std::size_t look, std::vector<ExperimentResult> ended) const {
    const Measurement none;
    return experiment_results({.profile = measurement_,
                               .timed = none,
                               .first_look = chooses_ ? processes_of_look : 2 * processes_of_look,
                               .ended = std::move(ended)},
                              {.level = 1 - error_of_look(look, 2), .most_processes = 8});
  }

  /// With fewer blocks in a round there are more rounds in the same time.
  void run_look(const std::vector<Experiment>& experiments, double blocks) {
    for (std::int64_t i = 0; i < processes_of_look; ++i) {
      Replicate& replicate = measurement_.replicates.emplace_back();
      replicate.group = Group::profile;
      replicate.index = std::ssize(measurement_.replicates) - 1;
      ProfileRun& run = replicate.record.emplace().profile.emplace();
      const double deviation = noise_ * std::sqrt(blocks / blocks_of_all);
      run.blocks.push_back(block("baseline", 1, deviation));
      for (const Gain& gain : gains_) {
        if (std::ranges::find(experiments, gain.experiment) == experiments.end()) continue;
        run.blocks.push_back(block(std::string(name_of(gain.experiment)), 1 - gain.truth, deviation));
      }
    }
  }

  VariantBlock block(const std::string& variant, double step, double deviation) {
    return {.variant = variant,
            .wall_ns = std::llround(block_ns * step * std::exp(deviation * normal_(generator_))),
            .steps = 1};
  }

  std::vector<Gain> gains_;
  double noise_;
  bool chooses_;
  Measurement measurement_;
  std::mt19937_64 generator_{1};
  std::normal_distribution<double> normal_;
};

using Gains = std::vector<ChosenByTheFirstLook::Gain>;

/// The claim is 95 %, and Bonferroni keeps more.
TEST(ChosenByFirstLook, AllIntervalsHoldTogether) {
  constexpr int profiles = 400;
  const std::array cases = {
      Gains{{Experiment::optimizer_skipped, 0.2}, {Experiment::optimizer_fused, 0.1}, {Experiment::logging_off, 0}},
      Gains{
          {Experiment::optimizer_skipped, 0.06}, {Experiment::optimizer_fused, 0.06}, {Experiment::logging_off, 0.06}},
      Gains{{Experiment::optimizer_skipped, 0.3}, {Experiment::optimizer_fused, 0}, {Experiment::logging_off, 0}}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const double noise : {0.01, 0.03}) {
      EXPECT_LE(ChosenByTheFirstLook(cases.at(i), noise, true).of(profiles).missed, 0.05 * profiles)
          << i << " " << noise;
    }
  }
}

TEST(ChosenByFirstLook, AGainOnALoudMachineIsToldMoreNarrowly) {
  constexpr int profiles = 200;
  const Gains gains = {{Experiment::optimizer_skipped, 0.2},
                       {Experiment::optimizer_fused, 0.01},
                       {Experiment::exchange_off, 0.01},
                       {Experiment::logging_off, 0}};
  const double chosen = ChosenByTheFirstLook(gains, 0.03, true).of(profiles).first_widths;
  const double all = ChosenByTheFirstLook(gains, 0.03, false).of(profiles).first_widths;
  EXPECT_LT(chosen, 0.85 * all) << "all experiments in all processes, in the same time";
}

}  // namespace
}  // namespace stepgate
