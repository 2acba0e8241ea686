// Which bottleneck a profile proves, against pipelines whose bottleneck is known.
#include "lab/scripted_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "judge/studies/experiment_verdict.h"
#include "test_paths.h"

namespace stepgate::lab {
namespace {

constexpr double ignore_margin = 0.01;
/// A gain that a profile has to prove.
constexpr double large_gain = 0.10;
constexpr std::int64_t pipelines = 200;

const NoiseModel& recorded_noise() {
  static const NoiseModel model = recorded_models(std::string(STEPGATE_GOLDEN_DIR) + "/../lab/traces").at(0);
  return model;
}

Profile profile_of(const ScriptedPipeline& pipeline, std::uint64_t seed) {
  ProfileInput input = profiled(pipeline, recorded_noise(), seed);
  input.experiments = experiment_results({.profile = input.profile,
                                          .timed = input.timed,
                                          .doubled_batch = input.doubled_batch ? &*input.doubled_batch : nullptr,
                                          .doubled_threads = input.doubled_threads ? &*input.doubled_threads : nullptr},
                                         {.ignore_margin = ignore_margin});
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

void expect_right_kinds(std::uint64_t seed, std::uint64_t first_noise) {
  int large = 0;
  int proven = 0;
  int wrong = 0;
  std::string missed;
  const auto made = scripted_pipelines(pipelines, seed);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Profile profile = profile_of(made[i], first_noise + i);
    for (const BottleneckVerdict& verdict : profile.bottlenecks) {
      if (verdict.proof != Proof::proven || true_gain(made[i], verdict.kind) >= ignore_margin) continue;
      ++wrong;
      ADD_FAILURE() << made[i].name << ": " << name_of(verdict.kind) << " is proven, and wins nothing" << told(profile);
    }
    if (true_gain(made[i], made[i].limited_by) < large_gain) continue;
    ++large;
    if (is_proven(profile, made[i].limited_by))
      ++proven;
    else
      missed += made[i].name + told(profile) + "\n";
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(proven, 0.95 * large) << missed;
  ::testing::Test::RecordProperty("wrong_proven", wrong);
  ::testing::Test::RecordProperty("with_large_gain", large);
  ::testing::Test::RecordProperty("right_proven", proven);
  EXPECT_GE(large, pipelines / 3) << "too few pipelines have something to prove";
}

TEST(ScriptedPipelines, TheWrongKindIsNeverProvenAndTheRightOneIs) { expect_right_kinds(20261122, 0); }

/// Rules that were chosen on the first pipelines hold on others too.
TEST(ScriptedPipelines, TheWrongKindIsNeverProvenOnOtherPipelinesEither) { expect_right_kinds(104729, 1000); }

TEST(ScriptedPipelines, ALoaderAsFastAsTheStepIsCalledBalanced) {
  for (const ScriptedPipeline& pipeline : scripted_pipelines(32, 7)) {
    if (pipeline.limited_by != Bottleneck::input) continue;
    const bool balanced = pipeline.name == "loader/step 1.00" || pipeline.name == "loader/step 0.95";
    const Profile profile = profile_of(pipeline, 3);
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
