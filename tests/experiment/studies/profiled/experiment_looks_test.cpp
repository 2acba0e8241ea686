#include "experiment/studies/profiled/experiment_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Joins a process whose steps take this time, as a share of the baseline's, under each experiment.
void add_process_with(const std::map<std::string, double>& ratios, ProfileInput& input) {
  Replicate& replicate = input.profile.replicates.emplace_back();
  replicate.group = Group::profile;
  replicate.index = std::ssize(input.profile.replicates) - 1;
  ProfileRun& run = replicate.record.emplace().profile.emplace();
  run.blocks.push_back({.variant = "baseline", .wall_ns = 1'000'000, .steps = 1});
  for (const auto& [variant, ratio] : ratios) {
    run.blocks.push_back({.variant = variant, .wall_ns = std::llround(1'000'000 * ratio), .steps = 1});
  }
}

const ExperimentResult& of_experiment(const std::vector<ExperimentResult>& results, Experiment experiment) {
  return results[static_cast<std::size_t>(experiment)];
}

TEST(ExperimentLooks, TheSecondOneRunsWhatTheFirstLeftOpen) {
  ProfileInput input;
  for (const double ratio : {0.8, 0.9, 0.7, 0.95}) {
    add_process_with({{"optimizer-skipped", ratio}, {"busy-core", 1 + ratio / 1000}}, input);
  }
  const ProfileOptions options;
  ExperimentLooks looks(options, input);
  const ExperimentResult busy = of_experiment(looks.results(), Experiment::busy_core);
  ASSERT_EQ(busy.proof, Proof::refuted);
  ASSERT_THAT(looks.next_experiments(), ElementsAre(Experiment::optimizer_skipped));
  looks.go_on_with({Experiment::optimizer_skipped});
  for (const double ratio : {0.80, 0.81, 0.79, 0.80}) add_process_with({{"optimizer-skipped", ratio}}, input);

  const std::vector<ExperimentResult> after = looks.results();
  const ExperimentResult& skipped = of_experiment(after, Experiment::optimizer_skipped);
  EXPECT_EQ(skipped.processes, 8);
  EXPECT_NEAR(*skipped.effect, 0.19, 0.01) << "further processes count twice";
  EXPECT_EQ(of_experiment(after, Experiment::busy_core).processes, 4);
  EXPECT_EQ(of_experiment(after, Experiment::busy_core).interval->upper, busy.interval->upper)
      << "it keeps the level of the first look";
  EXPECT_THAT(looks.next_experiments(), IsEmpty()) << "that was the last look";
}

TEST(ExperimentLooks, NoProcessFollowsWhereAllIsDecided) {
  ProfileInput input;
  for (const double ratio : {0.800, 0.801, 0.799, 0.800}) add_process_with({{"optimizer-skipped", ratio}}, input);
  const ProfileOptions options;
  ExperimentLooks looks(options, input);
  EXPECT_THAT(looks.next_experiments(), IsEmpty());
  looks.leave_out(Experiment::doubled_batch, "the case declares no parameter batch_size");
  EXPECT_EQ(of_experiment(looks.results(), Experiment::doubled_batch).absent,
            "the case declares no parameter batch_size");
}

}  // namespace
}  // namespace stepgate
