#include "judge/rules/numeric_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "core/verdict/losses/numeric_tolerance.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

MetricVerdict judge_numeric(const std::vector<Trajectory>& current, const Trajectory& baseline,
                            std::size_t steps = 21) {
  MetricVerdict verdict;
  apply_numeric_rule({.current = current, .baseline = baseline, .rtol = 1e-4, .atol = 1e-6, .steps = steps}, verdict);
  return verdict;
}

TEST(NumericRule, PassesWhatIsBitEqual) {
  const MetricVerdict verdict = judge_numeric({{2, 1}, {2, 1}}, {2, 1});
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(name_of(verdict.reason), "equal");
  EXPECT_EQ(verdict.detail, "bit-equal over 2 steps");
  EXPECT_EQ(verdict.current, 1) << "the last one, as baseline show has it";
  EXPECT_EQ(verdict.limit, "rtol 0.0001 + atol 1e-06");
}

TEST(NumericRule, AllowanceIsAbsolutePlusRelative) {
  // allowance at 2: 1e-6 + 2e-4 = 2.01e-4
  EXPECT_EQ(name_of(judge_numeric({{2.000200}}, {2}).reason), "within-limit");
  EXPECT_EQ(judge_numeric({{2.0002009}}, {2}).status, Status::pass);
  EXPECT_EQ(judge_numeric({{2.0002011}}, {2}).status, Status::regressed);
}

TEST(NumericRule, AllowanceTakesTheSizeOfANegativeLoss) {
  EXPECT_EQ(judge_numeric({{-2.0001}}, {-2}).status, Status::pass);
  EXPECT_EQ(judge_numeric({{-2.001}}, {-2}).status, Status::regressed);
}

TEST(NumericRule, ALowerLossIsAChangeToo) {
  const MetricVerdict verdict = judge_numeric({{2, 1.9, 1.8}}, {2, 1.95, 1.8});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "numerics-changed");
  EXPECT_THAT(verdict.detail, HasSubstr("out of tolerance from step 1: 1.95 -> 1.9 (-2.6 %)"));
}

TEST(NumericRule, NamesFirstDifferenceFirstOutsideAndFurthest) {
  const MetricVerdict verdict = judge_numeric({{2, 2.00001, 2.001, 2.1}}, {2, 2, 2, 2});
  EXPECT_EQ(verdict.detail,
            "out of tolerance from step 2: 2 -> 2.001 (+0.050 %); first difference in step 1; "
            "furthest in step 3: 2 -> 2.1 (+5.0 %)");
  EXPECT_EQ(verdict.baseline, 2.0);
  EXPECT_EQ(verdict.current, 2.001);
}

TEST(NumericRule, StepsBeyondTheHorizonAreNotCompared) {
  EXPECT_EQ(name_of(judge_numeric({{2, 2, 5}}, {2, 2, 2}, 2).reason), "equal");
  EXPECT_EQ(judge_numeric({{2, 5, 5}}, {2, 2, 2}, 2).status, Status::regressed);
}

TEST(NumericRule, TheWorstReplicateDecides) {
  EXPECT_EQ(judge_numeric({{2}, {2.1}, {2}}, {2}).status, Status::regressed);
  EXPECT_EQ(judge_numeric({{2.1}, {2}}, {2}).status, Status::regressed);
}

TEST(NumericRule, NonFiniteIsAlwaysRedAndNamed) {
  const MetricVerdict verdict = judge_numeric({{2, 2}, {2, nan}}, {2, 2});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "non-finite");
  EXPECT_EQ(verdict.detail, "nan in step 1");
}

TEST(NumericRule, NeverComparesInfinityWithInfinity) {
  EXPECT_EQ(name_of(judge_numeric({{2, infinity}}, {2, infinity}).reason), "non-finite");
}

TEST(NumericRule, NonFiniteBeyondTheHorizonIsRedToo) {
  EXPECT_EQ(name_of(judge_numeric({{2, 2, -infinity}}, {2, 2, 2}, 2).reason), "non-finite");
}

TEST(NumericRule, ANonFiniteBaselineDecidesNothing) {
  const MetricVerdict verdict = judge_numeric({{2, 2}}, {2, nan});
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "baseline-non-finite");
  EXPECT_EQ(name_of(judge_numeric({{2, 2, 2}}, {2, 2, nan}, 2).reason), "equal");
}

TEST(NumericRule, OtherNumbersOfStepsCannotBeCompared) {
  EXPECT_EQ(name_of(judge_numeric({{2, 2}}, {2, 2, 2}).reason), "incompatible-baseline");
  EXPECT_EQ(name_of(judge_numeric({{2, 2, 2}, {2, 2}}, {2, 2, 2}).reason), "incompatible-baseline");
  EXPECT_EQ(name_of(judge_numeric({{2, 2, 2, 2}}, {2, 2, 2}, 3).reason), "equal");
}

TEST(NumericRule, WithoutAnAllowanceAnyDifferenceIsRed) {
  MetricVerdict verdict;
  const std::vector<Trajectory> current = {{1e-30}};
  const Trajectory baseline = {0};
  apply_numeric_rule({.current = current, .baseline = baseline, .rtol = 1e-3, .atol = 0, .steps = 1}, verdict);
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_FALSE(verdict.change);
}

MetricVerdict judge_rounded(const std::vector<Trajectory>& current, const Trajectory& baseline) {
  MetricVerdict verdict;
  apply_numeric_rule({.current = current, .baseline = baseline, .rtol = 1e-4, .atol = 0, .steps = 21, .rounded = true},
                     verdict);
  return verdict;
}

TEST(RoundedBaseline, ProcessesThatAgreeAreJudgedAsEver) {
  EXPECT_EQ(judge_rounded({{2.00001}, {2.00002}}, {2}).status, Status::pass);
  EXPECT_EQ(name_of(judge_rounded({{2.001}, {2.00101}}, {2}).reason), "numerics-changed");
  EXPECT_EQ(judge_rounded({{2.001}}, {2}).status, Status::regressed) << "one process cannot disagree";
}

TEST(RoundedBaseline, ProcessesThatDifferBeyondRoundingDecideNothing) {
  const MetricVerdict verdict = judge_rounded({{2, 2.001}, {2, 2.0001}}, {2, 2});
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "replicates-disagree");
  EXPECT_THAT(verdict.detail, HasSubstr("differ among themselves"));
}

/// The process that is furthest away leaves the tolerance last.
TEST(RoundedBaseline, TheFirstStepOutsideIsThatOfAnyProcess) {
  EXPECT_EQ(judge_rounded({{2.00019, 9}, {2.00021, 3}}, {2, 2}).status, Status::regressed);
}

TEST(RoundedBaseline, ADifferenceBehindTheFirstStepOutsideExcusesNothing) {
  EXPECT_EQ(judge_rounded({{2.001, 2}, {2.001, 3}}, {2, 2}).status, Status::regressed);
}

/// Noise of a size that fits no promise: as large as the tolerance, larger with each step. Two processes seldom agree
/// by chance, and then the others must do so, too: none of 20 000 is red. Without that rule 23 are, at half a
/// tolerance.
TEST(RoundedBaseline, UnchangedCodeIsSeldomRedWhateverItsNoise) {
  constexpr int draws = 20000;
  constexpr std::size_t steps = 6;
  std::mt19937_64 generator(20261126);
  for (const double noise : {0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0}) {  // of the last step, in tolerances
    const auto process = [&] {
      std::normal_distribution<double> normal;
      Trajectory losses(steps, 4.0);
      double size = noise * 4e-4;
      for (std::size_t i = steps; i-- > 0; size /= 2) losses[i] += size * normal(generator);
      return losses;
    };
    int red = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Trajectory first = process();
      if (!agree_up_to_rounding(first, process(), {.rtol = 1e-4, .atol = 0}, steps)) continue;
      red += judge_rounded({process(), process()}, first).status == Status::regressed ? 1 : 0;
    }
    EXPECT_LE(red, 4) << "noise " << noise;
  }
}

}  // namespace
}  // namespace stepgate
