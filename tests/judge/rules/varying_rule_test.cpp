#include "judge/rules/varying_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

const Metric& varying_operators() { return *find_metric("operators_per_step"); }
const Metric& loss() { return *find_metric("loss"); }

MetricVerdict judged(const Metric& metric, const std::vector<double>& current, const std::vector<double>& base,
                     double share = 0.01) {
  MetricVerdict verdict = open_verdict(metric, Scope::portable);
  apply_varying_rule(metric, {.current = current, .base = base, .share = share}, verdict);
  return verdict;
}

TEST(VaryingRule, WithoutAnInterleavedBaseNothingIsJudged) {
  const MetricVerdict verdict = judged(varying_operators(), {412, 415}, {});
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "varying");
  EXPECT_THAT(verdict.detail, HasSubstr("varying: judged in A/B only; 412 to 415"));
  EXPECT_EQ(verdict.current, 413.5);
}

TEST(VaryingRule, OverlappingRangesNeverPass) {
  for (const auto& current : {std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{5, 6, 7, 8, 9}}) {
    const MetricVerdict verdict = judged(varying_operators(), current, {1, 2, 3, 4, 5});
    EXPECT_EQ(verdict.status, Status::not_judged);
    EXPECT_EQ(name_of(verdict.reason), "varying");
    EXPECT_THAT(verdict.detail, HasSubstr("the ranges overlap"));
  }
}

TEST(VaryingRule, RangesApartDecideInTheirDirection) {
  const std::vector<double> low = {1, 2, 3, 4, 5};
  const std::vector<double> high = {6, 7, 8, 9, 10};
  EXPECT_EQ(judged(varying_operators(), high, low).status, Status::regressed);
  EXPECT_EQ(name_of(judged(varying_operators(), high, low).reason), "outside-range");
  EXPECT_EQ(judged(varying_operators(), low, high).status, Status::improved);
  EXPECT_EQ(judged(loss(), high, low).status, Status::regressed);
  EXPECT_EQ(judged(loss(), low, high).status, Status::regressed) << "a lower loss is a change too";
}

TEST(VaryingRule, TooFewProcessesDecideNothing) {
  // 1 / C(8, 4) = 1.4 %, 1 / C(10, 5) = 0.4 %; both sides of a loss count, so 0.8 %.
  EXPECT_EQ(name_of(judged(varying_operators(), {5, 6, 7, 8}, {1, 2, 3, 4}, 0.01).reason), "too-few-processes");
  EXPECT_EQ(judged(varying_operators(), {5, 6, 7, 8}, {1, 2, 3, 4}, 0.01).status, Status::inconclusive);
  EXPECT_EQ(judged(varying_operators(), {6, 7, 8, 9, 10}, {1, 2, 3, 4, 5}, 0.005).status, Status::regressed);
  EXPECT_EQ(judged(loss(), {6, 7, 8, 9, 10}, {1, 2, 3, 4, 5}, 0.005).status, Status::inconclusive);
}

TEST(VaryingRule, IsRedAsRarelyAsItsShareSays) {
  // Both sides from one distribution: the rule may decide in at most 5 % of 20 000 comparisons.
  std::mt19937_64 generator(20260101);
  std::normal_distribution<double> noise(100, 3);
  const auto draw = [&] {
    std::vector<double> values(4);
    for (double& value : values) value = noise(generator);
    return values;
  };
  constexpr int comparisons = 20'000;
  int one_sided = 0;
  int two_sided = 0;
  for (int i = 0; i < comparisons; ++i) {
    const auto current = draw();
    const auto base = draw();
    one_sided += judged(varying_operators(), current, base, 0.05).status == Status::regressed;
    two_sided += judged(loss(), current, base, 0.05).status == Status::regressed;
  }
  EXPECT_NEAR(one_sided / static_cast<double>(comparisons), 1.0 / 70, 0.003);
  EXPECT_NEAR(two_sided / static_cast<double>(comparisons), 2.0 / 70, 0.004);
}

}  // namespace
}  // namespace stepgate
