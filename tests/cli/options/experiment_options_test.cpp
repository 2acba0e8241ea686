// The command line as the options of an experiment.
#include "cli/options/experiment_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ExperimentOptions, DefaultsAreThoseOfTheExperiments) {
  const GateOptions gate = gate_options({});
  EXPECT_EQ(gate.measure.tier, TierChoice::all);
  EXPECT_EQ(gate.measure.timed_replicates, std::nullopt);
  EXPECT_EQ(gate.host.mode, GuardMode::process);
  EXPECT_TRUE(gate.host.state_folder.is_absolute());
  EXPECT_THAT(gate.pairs.base_build.string(), IsEmpty());
  EXPECT_EQ(gate.pairs.interleave, Interleave::automatic);
}

TEST(ExperimentOptions, CarryWhatWasGiven) {
  Options options;
  options.arguments = {"language/char_lm/tiny"};
  options.filters = {"language/*"};
  options.tier = "timed";
  options.steps = "e2e=60";
  options.guard = "host";
  options.knobs = "governor,turbo";
  options.interleave = "windows";
  options.pairs = 8;
  const AbOptions ab = ab_options(options);
  EXPECT_THAT(ab.selection.names, ElementsAre("language/char_lm/tiny"));
  EXPECT_THAT(ab.selection.globs, ElementsAre("language/*"));
  EXPECT_EQ(ab.measure.tier, TierChoice::timed);
  EXPECT_EQ(ab.measure.steps.at("e2e"), 60);
  EXPECT_EQ(ab.host.mode, GuardMode::host);
  EXPECT_THAT(ab.host.knobs, ElementsAre("governor", "turbo"));
  EXPECT_EQ(ab.pairs.interleave, Interleave::windows);
  EXPECT_EQ(ab.pairs.most_pairs, 8);
}

TEST(ExperimentOptions, AProfileOfTwoBuildsCarriesTheBaseBuildAndItsOrder) {
  Options options;
  options.arguments = {"language/char_lm/tiny"};
  options.base_build = "before";
  options.order_seed = 7;
  options.threads = 2;
  const ProfileDifferenceOptions difference = profile_difference_options(options);
  EXPECT_EQ(difference.case_name, "language/char_lm/tiny");
  EXPECT_EQ(difference.pairs.base_build, "before");
  EXPECT_EQ(difference.pairs.order_seed, 7U);
  EXPECT_EQ(difference.measure.threads, 2);
}

TEST(ExperimentOptions, RefuseTheWrongNumberOfArguments) {
  Options options;
  options.command = "sweep";
  EXPECT_THROW(sweep_options(options), Error);
  EXPECT_THROW(ablation_options(options), Error);
  EXPECT_THROW(profile_difference_options(options), Error);
  options.arguments = {"one"};
  EXPECT_THROW(comparison_options(options), Error);
  EXPECT_THROW(refuse_arguments(options, "none"), Error);
  options.arguments = {"one", "two"};
  EXPECT_EQ(comparison_options(options).after, "two");
}

}  // namespace
}  // namespace stepgate
