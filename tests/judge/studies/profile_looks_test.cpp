#include "judge/studies/profile_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ExperimentResult undecided(Experiment experiment, double effect, std::int64_t more) {
  ExperimentResult result{.experiment = experiment, .processes = 4, .effect = effect};
  result.more_processes = more;
  return result;
}

TEST(ProfileLooks, ErrorsOfAllLooksAddUpToFivePercent) {
  for (const std::size_t looks : {1U, 2U, 3U, 4U}) {
    double sum = 0;
    for (std::size_t look = 0; look < looks; ++look) sum += error_of_look(look, looks);
    EXPECT_LE(sum, 0.05 + 1e-12) << looks;
    EXPECT_GE(sum, looks == 3 ? 0.04 - 1e-12 : 0.05 - 1e-12) << looks;
  }
}

TEST(ProfileLooks, FurtherProcessesAreRunOnlyWhereTheyDecideAGainWorthTheirTime) {
  const auto worth = [](const ExperimentResult& result, double least_gain) {
    return is_another_look_worth_it({result}, {result}, {.most = 4, .least_gain = least_gain});
  };
  EXPECT_TRUE(worth(undecided(Experiment::optimizer_skipped, 0.08, 4), 0.05));
  EXPECT_FALSE(worth(undecided(Experiment::optimizer_skipped, 0.08, 5), 0.05)) << "too many are needed";
  EXPECT_FALSE(worth(undecided(Experiment::optimizer_skipped, 0.03, 1), 0.05)) << "it wins too little";
  EXPECT_TRUE(worth(undecided(Experiment::optimizer_skipped, 0.03, 1), 0)) << "everything is asked for";
  EXPECT_TRUE(worth(undecided(Experiment::delayed_loader, 0.0, 2), 0.05)) << "no kind is proven beside an open loader";
  ExperimentResult decided = undecided(Experiment::optimizer_skipped, 0.08, 1);
  decided.proof = Proof::proven;
  EXPECT_FALSE(worth(decided, 0.05));
  EXPECT_FALSE(worth(undecided(Experiment::doubled_batch, 1.2, 1), 0.05)) << "it has processes of its own";
}

TEST(ProfileLooks, TheNextLookHasALevelOfItsOwn) {
  const ExperimentResult open = undecided(Experiment::optimizer_skipped, 0.08, 9);
  ExperimentResult next = open;
  EXPECT_FALSE(is_another_look_worth_it({open}, {next}, {.most = 4, .least_gain = 0.05}));
  next.more_processes = 3;
  EXPECT_TRUE(is_another_look_worth_it({open}, {next}, {.most = 4, .least_gain = 0.05}));
  next.proof = Proof::proven;
  next.more_processes.reset();
  EXPECT_TRUE(is_another_look_worth_it({open}, {next}, {.most = 4, .least_gain = 0.05}));
}

TEST(ProfileLooks, WhatFurtherProcessesDoNotRunHasEnded) {
  const std::vector<ExperimentResult> ended = ended_before(
      {undecided(Experiment::synthetic_batch, 0.3, 2), undecided(Experiment::optimizer_skipped, 0.01, 9),
       undecided(Experiment::doubled_batch, 1.5, 3), ExperimentResult{.experiment = Experiment::resident_batch}},
      {Experiment::synthetic_batch});
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].experiment, Experiment::optimizer_skipped);
}

ExperimentResult proven_gain(Experiment experiment, double effect, double half_width) {
  ExperimentResult result{.experiment = experiment, .processes = 4, .effect = effect};
  result.interval = Interval{effect - half_width, effect + half_width};
  result.proof = Proof::proven;
  return result;
}

/// A rebuilt program adds 1 % on both sides.
TEST(ProfileLooks, AnIntervalWiderThanHalfOfItsGainIsTooWide) {
  EXPECT_TRUE(is_told_too_widely(proven_gain(Experiment::optimizer_skipped, 0.20, 0.041)));
  EXPECT_FALSE(is_told_too_widely(proven_gain(Experiment::optimizer_skipped, 0.20, 0.039)));
  EXPECT_FALSE(is_told_too_widely(proven_gain(Experiment::doubled_batch, 0.20, 0.09))) << "it runs in no block";
  EXPECT_FALSE(is_told_too_widely(proven_gain(Experiment::bandwidth_thief, 0.20, 0.09))) << "it takes nothing away";
  EXPECT_FALSE(is_told_too_widely(undecided(Experiment::optimizer_skipped, 0.20, 1)));
}

TEST(ProfileLooks, AGainThatIsToldTooWidelyIsWorthFurtherProcesses) {
  const auto worth = [](double effect, double half_width) {
    const std::vector<ExperimentResult> results = {proven_gain(Experiment::optimizer_skipped, effect, half_width)};
    return is_another_look_worth_it(results, results, {.most = 4, .least_gain = 0.05});
  };
  EXPECT_TRUE(worth(0.20, 0.05));
  EXPECT_FALSE(worth(0.20, 0.03));
  EXPECT_FALSE(worth(0.07, 0.03)) << "the bias of a rebuilt program alone is more than half of that";
}

TEST(ProfileLooks, FurtherProcessesRunWhatIsOpenOrToldTooWidely) {
  const std::vector<ExperimentResult> now = {undecided(Experiment::synthetic_batch, 0.01, 50),
                                             undecided(Experiment::delayed_loader, 0.1, 50),
                                             undecided(Experiment::doubled_batch, 1.5, 3),
                                             proven_gain(Experiment::optimizer_skipped, 0.3, 0.1),
                                             proven_gain(Experiment::optimizer_fused, 0.3, 0.02),
                                             proven_gain(Experiment::logging_off, 0.04, 0.02),
                                             undecided(Experiment::exchange_off, 0.04, 2),
                                             undecided(Experiment::bandwidth_thief, 0.08, 2),
                                             ExperimentResult{.experiment = Experiment::resident_batch}};
  EXPECT_THAT(experiments_of_next_look(now, 0.05),
              ElementsAre(Experiment::synthetic_batch, Experiment::delayed_loader, Experiment::optimizer_skipped,
                          Experiment::busy_core, Experiment::bandwidth_thief))
      << "the thief is compared with the busy core";
  EXPECT_THAT(experiments_of_next_look({proven_gain(Experiment::optimizer_fused, 0.3, 0.02)}, 0.05), IsEmpty());
  EXPECT_THAT(experiments_of_next_look(now, 0),
              testing::IsSupersetOf({Experiment::logging_off, Experiment::exchange_off}))
      << "everything is asked for";
}

}  // namespace
}  // namespace stepgate
