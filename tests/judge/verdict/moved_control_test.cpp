// What a moved control withholds of a red. Example as in paired_case.h: .2 % noise over eight pairs, so that an
// interval begins .22 % below its mean, and the control's reaches .21 % to either side (M = 3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// A head that is slower by `change`, beside a control that moved by `shift`.
PairedCase beside_control(double change, double shift) {
  PairedCase paired = paired_case(change);
  paired.pairs.control->pairs = pairs_of(20e6, shift, 8);
  return paired;
}

std::vector<Pair> pairs_from(double base, const std::vector<double>& differences) {
  std::vector<Pair> pairs;
  for (const double each : differences)
    pairs.push_back({.base = base * std::exp(-each / 2), .head = base * std::exp(each / 2)});
  return pairs;
}

TEST(MovedControl, ARedStandsThatItCannotExplain) {
  const PairedCase paired = beside_control(0.39, 0.003);
  EXPECT_EQ(paired.judge().status, Status::regressed);
  EXPECT_EQ(name_of(paired.step().reason), "regressed");
  EXPECT_THAT(paired.step().detail,
              HasSubstr("over 8 pairs; control moved (+0.32 % [+0.10 %, +0.53 %], 8 pairs), which "
                        "explains at most +1.1 % of it"));
}

TEST(MovedControl, ARedIsLeftOpenThatItMayExplain) {
  const PairedCase paired = beside_control(0.08, 0.05);
  EXPECT_EQ(paired.judge().status, Status::inconclusive);
  EXPECT_EQ(name_of(paired.step().reason), "control-moved");
  // The control reaches 5.11 % on the log scale: twice that is +10.8 %, and with the ignore margin of 1 % +11.9 %.
  EXPECT_THAT(paired.step().detail,
              HasSubstr("the base differs from its own copy, so something disturbs one side; that may explain up to "
                        "+10.8 %, and a red would have to lie beyond +11.9 %"));
}

TEST(MovedControl, TheLowerEndMustExceedTwiceTheShiftAndTheMargin) {
  // The control reaches 3.19 %: the interval has to begin beyond 2 x 3.19 + 1.00 = 7.37 %, on the log scale.
  EXPECT_EQ(name_of(beside_control(0.077, 0.03).step().reason), "control-moved");
  EXPECT_EQ(name_of(beside_control(0.081, 0.03).step().reason), "regressed");
}

TEST(MovedControl, ItsDirectionDoesNotCount) {
  EXPECT_EQ(name_of(beside_control(0.08, -0.05).step().reason), "control-moved");
  EXPECT_EQ(name_of(beside_control(0.39, -0.003).step().reason), "regressed");
}

TEST(MovedControl, OfAnotherCaseItMayExplainMore) {
  PairedCase paired = beside_control(0.06, 0.003);
  EXPECT_EQ(name_of(paired.step().reason), "regressed");
  paired.pairs.control->case_name = "example/mlp/large";
  EXPECT_EQ(name_of(paired.step().reason), "control-moved") << "ten times .53 %, and 1 %";
  paired.pairs.timed["step_time_ns"] = pairs_of(20e6, 0.39, 8);
  EXPECT_EQ(name_of(paired.step().reason), "regressed");
}

TEST(MovedControl, AFirstStepAndTheSupplyMayBeHitHarderThanTheSteps) {
  // Ten times what the control reaches, .53 and 3.19 %, and the ignore margin of 10 %: 14.8 and 41.4 % on the log
  // scale. +39 % are 32.9 %.
  const auto first_step_beside = [](double shift) {
    PairedCase paired = beside_control(0, shift);
    paired.pairs.timed["first_step_ns"] = pairs_of(400e6, 0.39, 8);
    return verdict_on(paired.judge(), "first_step_ns").status;
  };
  EXPECT_EQ(first_step_beside(0.003), Status::regressed);
  EXPECT_EQ(first_step_beside(0.03), Status::inconclusive);
  PairedCase paired = beside_control(0, 0.003);
  paired.pairs.timed["loader_samples_per_s"] = pairs_of(20'000, -0.94, 8);
  const MetricVerdict loader_verdict = verdict_on(paired.judge(), "loader_samples_per_s");
  EXPECT_EQ(loader_verdict.status, Status::regressed);
  EXPECT_THAT(loader_verdict.detail, HasSubstr("which explains at most -5.2 % of it"));
}

TEST(MovedControl, OneWithATimeThatIsNoneLeavesEveryRedOpen) {
  PairedCase paired = beside_control(3, 0);
  paired.pairs.control->pairs[2].head = 0;
  EXPECT_EQ(name_of(paired.step().reason), "control-moved");
  EXPECT_THAT(paired.step().detail, HasSubstr("a time that is zero, negative or not finite: the base differs"));
}

/// Differences as the swarm (docs/design/swarm.md) drew them, of heads that were made slower.
TEST(MovedControl, DrawnRunsWithPlantedFaultsAreRed) {
  PairedCase paired = paired_case(0);
  paired.pairs.control->pairs =
      pairs_from(4.92e6, {0.00247, 0.00186, 0.00329, -0.00015, 0.00513, 0.00412, 0.00332, 0.00424});
  paired.pairs.timed["step_time_ns"] =
      pairs_from(4.92e6, {0.33386, 0.32223, 0.34005, 0.32721, 0.33076, 0.32706, 0.32989, 0.33236});
  EXPECT_EQ(paired.judge().status, Status::regressed);
  EXPECT_THAT(paired.step().detail, HasSubstr("+39.2 %"));
  EXPECT_THAT(paired.step().detail, HasSubstr("control moved (+0.30 % ["));

  paired.pairs.control->pairs =  // the copy is faster
      pairs_from(2.89e6, {-0.00051, -0.00096, -0.0012, -0.00044, -0.0011, -0.00123, -0.00073, -0.00067});
  paired.pairs.timed["step_time_ns"] =
      pairs_from(2.89e6, {0.26556, 0.26264, 0.26456, 0.26229, 0.26186, 0.26431, 0.2631, 0.26264});
  EXPECT_EQ(paired.judge().status, Status::regressed);
  EXPECT_THAT(paired.step().detail, HasSubstr("control moved (-0.08"));
}

}  // namespace
}  // namespace stepgate
