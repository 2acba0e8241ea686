#include "judge/studies/profile_looks.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

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

}  // namespace
}  // namespace stepgate
