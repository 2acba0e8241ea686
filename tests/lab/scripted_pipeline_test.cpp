// Which bottleneck a profile proves, against pipelines whose bottleneck is known.
#include "lab/scripted_pipeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "judge/studies/experiment_verdict.h"
#include "judge/studies/profile_looks.h"
#include "test_paths.h"

namespace stepgate::lab {
namespace {

constexpr double ignore_margin = 0.01;
/// A gain that a profile has to prove.
constexpr double large_gain = 0.10;
constexpr std::int64_t pipelines = 200;
/// A smaller gain is worth no further processes (experiment/studies/profiled/experiment_looks.cpp).
constexpr double least_gain = 0.05;
/// A bound of an interval may lie above the truth by this, own choice: with noise a step waits longer for its loader
/// than the truth says, which knows no noise. No pipeline is rebuilt, so a bias of that is no excuse.
constexpr double room_for_noise = 0.05 - rebuilt_bias;

const NoiseModel& recorded_noise() {
  static const NoiseModel model = recorded_models(std::string(STEPGATE_GOLDEN_DIR) + "/../lab/traces").at(0);
  return model;
}

/// Where a profile looks a second time, `ended` has what that look no longer ran.
std::vector<ExperimentResult> results_of(const ProfileInput& input, double error,
                                         std::vector<ExperimentResult> ended = {}) {
  return experiment_results({.profile = input.profile,
                             .timed = input.timed,
                             .doubled_batch = input.doubled_batch ? &*input.doubled_batch : nullptr,
                             .doubled_threads = input.doubled_threads ? &*input.doubled_threads : nullptr,
                             .first_look = PipelineDraw{}.profile_processes,
                             .ended = std::move(ended)},
                            {.level = 1 - error, .ignore_margin = ignore_margin});
}

/// As `stepgate profile` does it: four processes, and four more where they would decide a gain worth having, with the
/// experiments that this takes.
Profile profile_of(const ScriptedPipeline& pipeline, const NoiseModel& noise, PipelineDraw draw) {
  ProfileInput input = profiled(pipeline, noise, draw);
  input.experiments = results_of(input, error_of_look(0, 2));
  if (is_another_look_worth_it(input.experiments, results_of(input, error_of_look(1, 2)),
                               {.most = 4, .least_gain = least_gain})) {
    draw.further = experiments_of_next_look(input.experiments, least_gain);
    std::vector<ExperimentResult> ended = ended_before(std::move(input.experiments), draw.further);
    input = profiled(pipeline, noise, draw);
    input.experiments = results_of(input, error_of_look(1, 2), std::move(ended));
  }
  return profile_case(input);
}

const BottleneckVerdict* verdict_on(const Profile& profile, Bottleneck kind) {
  const auto at = std::ranges::find_if(profile.bottlenecks, [&](const auto& each) { return each.kind == kind; });
  return at == profile.bottlenecks.end() ? nullptr : &*at;
}

bool is_proven(const Profile& profile, Bottleneck kind) {
  const BottleneckVerdict* verdict = verdict_on(profile, kind);
  return verdict != nullptr && verdict->proof == Proof::proven;
}

std::string told(const Profile& profile) {
  std::string text;
  for (const BottleneckVerdict& each : profile.bottlenecks) {
    text += "\n  " + std::string(name_of(each.kind)) + " " + std::string(name_of(each.proof)) + ": " + each.says;
  }
  return text;
}

/// A machine that runs now faster, now slower: recorded steps, and stretches of about 40 steps that take 25 % longer,
/// as seen on a shared machine with steps of 40 ms.
NoiseModel two_speeds() {
  NoiseModel model = recorded_noise();
  const std::vector<double> recorded = model.trace;
  constexpr std::size_t steps = 20'000;
  boost::random::mt19937_64 generator(42);
  boost::random::uniform_int_distribution<int> turn(1, 40);
  bool slow = false;
  model.trace.clear();
  for (std::size_t i = 0; i < steps; ++i) {
    if (turn(generator) == 1) slow = !slow;
    model.trace.push_back(recorded[i % recorded.size()] + (slow ? std::log(1.25) : 0));
  }
  return model;
}

struct Outcome {
  int large = 0;   ///< pipelines with a gain that a profile has to prove
  int proven = 0;  ///< of these
  std::string missed;
  std::string overstated;  ///< proven, and the truth lies below the interval
};

/// A thief shows that bandwidth limits a step, and not what a mend of it wins.
bool is_overstated(const ScriptedPipeline& pipeline, const BottleneckVerdict& verdict) {
  if (verdict.proof != Proof::proven || !verdict.interval || verdict.kind == Bottleneck::bandwidth) return false;
  return verdict.interval->lower > true_gain(pipeline, verdict.kind) + room_for_noise;
}

/// A kind that wins nothing and is proven fails the test.
Outcome outcome_of(const std::vector<ScriptedPipeline>& made, const NoiseModel& noise, const PipelineDraw& first) {
  Outcome outcome;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Profile profile = profile_of(
        made[i], noise, {.seed = first.seed + i, .profile_processes = first.profile_processes, .rounds = first.rounds});
    for (const BottleneckVerdict& verdict : profile.bottlenecks) {
      if (is_overstated(made[i], verdict)) {
        outcome.overstated += fmt::format("{}: {} wins {:.3f}{}\n", made[i].name, name_of(verdict.kind),
                                          true_gain(made[i], verdict.kind), told(profile));
      }
      if (verdict.proof != Proof::proven || true_gain(made[i], verdict.kind) >= ignore_margin) continue;
      ADD_FAILURE() << made[i].name << ": " << name_of(verdict.kind) << " is proven, and wins nothing" << told(profile);
    }
    const auto kind = made[i].limited_by;
    if (!kind || true_gain(made[i], *kind) < large_gain) continue;
    ++outcome.large;
    if (is_proven(profile, *kind))
      ++outcome.proven;
    else
      outcome.missed += made[i].name + told(profile) + "\n";
  }
  return outcome;
}

void expect_right_kinds(const std::vector<ScriptedPipeline>& made, std::uint64_t first_noise) {
  const auto [large, proven, missed, overstated] = outcome_of(made, recorded_noise(), {.seed = first_noise});
  EXPECT_GE(proven, 0.95 * large) << missed;
  EXPECT_EQ(overstated, "");
  ::testing::Test::RecordProperty("with_large_gain", large);
  ::testing::Test::RecordProperty("right_proven", proven);
  EXPECT_GE(large, std::ssize(made) / 3) << "too few pipelines have something to prove";
}

TEST(ScriptedPipelines, TheWrongKindIsNeverProvenAndTheRightOneIs) {
  expect_right_kinds(scripted_pipelines(pipelines, 20261122), 0);
}

/// Rules that were chosen on the first pipelines hold on others too.
TEST(ScriptedPipelines, TheWrongKindIsNeverProvenOnOtherPipelinesEither) {
  expect_right_kinds(scripted_pipelines(pipelines, 104729), 1000);
}

/// A loader that cannot limit the step keeps nothing else from being proven.
TEST(ScriptedPipelines, TheRightKindIsProvenBesideAFastLoader) {
  expect_right_kinds(pipelines_with_fast_loaders(84, 31), 3000);
}

/// What a boundary costs whatever the batch is not the price of calls.
TEST(ScriptedPipelines, TheWrongKindIsNotProvenByAFixedCostInAnyBoundary) {
  expect_right_kinds(pipelines_with_fixed_costs(96, 37), 4000);
}

/// Long steps leave time for one round of blocks. Four processes agree by chance then: a fast block of the variant
/// beside a slow one of the baseline in each of them.
TEST(ScriptedPipelines, TheWrongKindIsNotProvenByAMachineOfTwoSpeeds) {
  const Outcome outcome = outcome_of(scripted_pipelines(pipelines, 5), two_speeds(), {.seed = 2000, .rounds = 1});
  ::testing::Test::RecordProperty("right_proven", outcome.proven);
}

TEST(ScriptedPipelines, ALoaderAsFastAsTheStepIsCalledBalanced) {
  for (const ScriptedPipeline& pipeline : scripted_pipelines(32, 7)) {
    if (pipeline.limited_by != Bottleneck::input) continue;
    const bool balanced = pipeline.name == "loader/step 1.00" || pipeline.name == "loader/step 0.95";
    const Profile profile = profile_of(pipeline, recorded_noise(), {.seed = 3});
    const BottleneckVerdict* input = verdict_on(profile, Bottleneck::input);
    ASSERT_NE(input, nullptr) << pipeline.name;
    EXPECT_EQ(input->says.starts_with("balanced: "), balanced) << pipeline.name << told(profile);
    EXPECT_EQ(is_proven(profile, Bottleneck::input), pipeline.name > "loader/step 1.00")
        << pipeline.name << told(profile);
  }
}

TEST(ScriptedPipelines, TheTruthOfALoaderIsOneMinusStepOverLoader) {
  for (const ScriptedPipeline& pipeline : scripted_pipelines(16, 1)) {
    const double gain = true_gain(pipeline, Bottleneck::input);
    if (pipeline.name == "loader/step 1.50") {
      EXPECT_NEAR(gain, 1 - 1 / 1.5, 1e-6);
    }
    if (pipeline.name == "loader/step 0.90") {
      EXPECT_NEAR(gain, 0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace stepgate::lab
