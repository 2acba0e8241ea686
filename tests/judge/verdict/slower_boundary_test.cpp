// A boundary that got slower beside a step that did not (judge/verdict/paired_half.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/paired_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// The optimizer takes 3 of the step's 20 ms, and `change` more in the head.
PairedCase slower_optimizer(double change, std::size_t count = 8) {
  PairedCase paired = paired_case(0, count);
  paired.pairs.timed["optimizer_ns"] = pairs_of(3e6, change, count);
  return paired;
}

MetricVerdict optimizer_of(const PairedCase& paired) { return verdict_on(paired.judge(), "optimizer_ns"); }

TEST(SlowerBoundary, IsNotedWithItsShareOfTheStep) {
  for (const std::size_t count : {4U, 8U}) {
    const PairedCase paired = slower_optimizer(0.1, count);
    const MetricVerdict verdict = optimizer_of(paired);
    EXPECT_EQ(verdict.status, Status::not_judged) << count;
    EXPECT_EQ(name_of(verdict.reason), "slower-below-margin") << count;
    EXPECT_THAT(verdict.detail, HasSubstr("; +1.5 % of the step"));
    EXPECT_EQ(paired.judge().status, Status::pass);
  }
}

TEST(SlowerBoundary, LessOfTheStepThanItsIgnoreMarginIsNoNews) {
  // +5 % of 3 ms is 0.75 % of the step.
  PairedCase paired = slower_optimizer(0.05);
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "not-tested");
  paired.example.policy.margins.ignore = 0.005;
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "slower-below-margin");
}

TEST(SlowerBoundary, OnlyWhatIsCertainIsNoted) {
  PairedCase paired = slower_optimizer(0.1);
  auto& pairs = paired.pairs.timed["optimizer_ns"];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].head *= i % 2 == 0 ? 1.2 : 0.8;
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "not-tested");
  EXPECT_EQ(name_of(optimizer_of(slower_optimizer(0.1, 3)).reason), "not-tested") << "before the first analysis";
}

TEST(SlowerBoundary, TheCasesOfTheSuiteShareTheErrors) {
  // Standard error 1.5 % at four pairs: (ln 1.4 - ln 1.01) / .015 = 22, p = 1.1e-4 with 3 degrees of freedom, by Holm
  // over three boundaries 3.2e-4. One case has .05 / 5 = 1e-2, a suite of 100 cases 1e-4.
  PairedCase paired = slower_optimizer(0, 4);
  auto& pairs = paired.pairs.timed["optimizer_ns"];
  constexpr double noise[] = {1.026, 0.974, 1.027, 0.975};
  for (std::size_t i = 0; i < 4; ++i) pairs[i].head *= 1.4 * noise[i];
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "slower-below-margin");
  paired.example.hypotheses = 500;
  ASSERT_EQ(paired.step().status, Status::pass);
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "not-tested");
}

TEST(SlowerBoundary, DriftingDifferencesShowNothing) {
  PairedCase paired = slower_optimizer(0.1);
  auto& pairs = paired.pairs.timed["optimizer_ns"];
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].head *= 1 + 0.01 * static_cast<double>(i);
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "not-tested");
}

TEST(SlowerBoundary, BesideAnUndecidedOrRedStepItIsNoNote) {
  PairedCase paired = slower_optimizer(0.1);
  for (std::size_t i = 0; i < 8; ++i) paired.pairs.timed["step_time_ns"][i].head *= i % 2 == 0 ? 1.2 : 0.8;
  ASSERT_EQ(paired.step().status, Status::inconclusive);
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "not-tested");
  paired.pairs.timed["step_time_ns"] = pairs_of(20e6, 0.1, 8);
  EXPECT_EQ(name_of(optimizer_of(paired).reason), "boundary-slower");
}

}  // namespace
}  // namespace stepgate
