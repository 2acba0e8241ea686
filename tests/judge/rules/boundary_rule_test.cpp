#include "judge/rules/boundary_rule.h"

#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

TEST(BoundaryRule, AreNotTestedInAGreenCase) {
  ExampleCase example = example_case();
  scale(example, "forward_ns", 3);
  const MetricVerdict verdict = verdict_on(example.judge(), "forward_ns");
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "not-tested");
  EXPECT_NEAR(*verdict.change, 2, 0.01);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(BoundaryRule, NameTheCauseInARedCase) {
  ExampleCase example = example_case();
  slow_down(example, 1.1);
  scale(example, "backward_ns", 1.3);
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict_on(verdict, "backward_ns").status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "backward_ns").reason), "boundary-slower");
  EXPECT_FALSE(verdict_on(verdict, "backward_ns").gating);
  EXPECT_EQ(verdict_on(verdict, "forward_ns").status, Status::not_judged) << "it has no gating role";
  EXPECT_EQ(name_of(verdict_on(verdict, "forward_ns").reason), "within-limit");
}

TEST(BoundaryRule, ARedInTheExactHalfAloneTestsNoBoundary) {
  ExampleCase example = example_case();
  example.values.exact["operators_per_step"] = {std::vector<std::int64_t>(8, 2157)};
  scale(example, "backward_ns", 1.3);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "backward_ns").reason), "not-tested");
}

TEST(BoundaryRule, HolmAsksMoreOfOneAmongThree) {
  // Eight degrees of freedom: a single test at p = .05 needs t = 1.86, the first of three at p = .0167 needs t = 2.57.
  // At +4.6 % t = (ln 1.046 - ln 1.01) / .0155 = 2.26.
  ExampleCase three = example_case();
  slow_down(three, 1.1);
  scale(three, "backward_ns", 1.046);
  EXPECT_EQ(name_of(verdict_on(three.judge(), "backward_ns").reason), "not-significant");
  EXPECT_EQ(verdict_on(three.judge(), "backward_ns").status, Status::inconclusive);

  ExampleCase alone = three;
  for (const char* other : {"forward_ns", "optimizer_ns"}) alone.values.timed.erase(other);
  EXPECT_EQ(name_of(verdict_on(alone.judge(), "backward_ns").reason), "boundary-slower");
}

TEST(BoundaryRule, IsTestedAgainstTheIgnoreMargin) {
  // t = ln 1.035 / .0155 = 2.2 against zero, 1.6 against the margin; a single test needs 1.86.
  ExampleCase example = example_case();
  slow_down(example, 1.1);
  scale(example, "backward_ns", 1.035);
  for (const char* other : {"forward_ns", "optimizer_ns"}) example.values.timed.erase(other);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "backward_ns").reason), "not-significant");
}

TEST(BoundaryRule, ABoundaryThatTookNoTimeIsNotTested) {
  ExampleCase example = example_case();
  slow_down(example, 1.1);
  scale(example, "forward_ns", 0);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "forward_ns").reason), "not-tested");
}

TEST(BoundaryRule, ABoundaryGoneMissingDoesNotDecide) {
  ExampleCase example = example_case();
  example.values.timed.erase("forward_ns");
  EXPECT_EQ(verdict_on(example.judge(), "forward_ns").status, Status::skipped);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(BoundaryRule, RatesAreNeverTested) {
  ExampleCase example = example_case();
  slow_down(example, 1.1);
  scale(example, "samples_per_s", 0.5);
  const MetricVerdict verdict = verdict_on(example.judge(), "samples_per_s");
  EXPECT_EQ(name_of(verdict.reason), "not-tested");
  EXPECT_NEAR(*verdict.change, -0.5, 0.01);
  EXPECT_NEAR(*verdict.current / *verdict.baseline, 0.5, 0.01);
}

TEST(BoundaryRule, RatiosMayBeZeroOrNegative) {
  ExampleCase example = example_case();
  example.values.timed["stall_ratio"] = {-0.05, 0, 0.02};
  const MetricVerdict verdict = verdict_on(example.judge(), "stall_ratio");
  EXPECT_EQ(name_of(verdict.reason), "not-tested");
  EXPECT_NEAR(*verdict.current, -0.01, 1e-12);
  EXPECT_NEAR(*verdict.baseline, 0.1, 1e-12);
  EXPECT_FALSE(verdict.change);
}

TEST(BoundaryRule, KnowsTheBoundaries) {
  EXPECT_TRUE(is_boundary_time("data_wait_ns"));
  EXPECT_TRUE(is_boundary_time("logging_ns"));
  EXPECT_FALSE(is_boundary_time("step_time_ns"));
  EXPECT_FALSE(is_boundary_time("forward"));
}

}  // namespace
}  // namespace stepgate
