#include "judge/growth/growth_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/summary.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using Growths = std::vector<LevelGrowth>;

const Metric& heap_growth_metric = *find_metric("host_heap_growth_bytes_per_step");

/// Six processes that grow by about `per_step`, with the noise of a heap that nothing else moves.
Growths six(double per_step, double spread = 60, double noise = 250) {
  Growths growths;
  for (int i = 0; i < 6; ++i) {
    growths.push_back({.per_step = per_step + spread * (i - 2.5), .noise = noise, .steps = 11});
  }
  return growths;
}

/// The values above the floor.
std::vector<std::int64_t> above_floor(const Growths& growths) {
  std::vector<std::int64_t> values;
  for (const LevelGrowth& growth : growths) {
    const auto whole = static_cast<std::int64_t>(growth.per_step);
    values.push_back(whole < heap_growth_metric.noise_floor ? 0 : whole);
  }
  return values;
}

MetricVerdict judge_heap(const Growths& head, const Growths& base, double share = 0.0005) {
  const auto now = above_floor(head);
  const auto before = above_floor(base);
  MetricVerdict verdict;
  apply_growth_rule(heap_growth_metric,
                    {.bytes = {.current = now, .baseline = before, .interleaved = true}, .current = head, .base = base},
                    {.share = share}, verdict);
  return verdict;
}

MetricVerdict judge_against_stored(const Growths& head, const std::vector<std::int64_t>& stored) {
  const auto now = above_floor(head);
  MetricVerdict verdict;
  apply_growth_rule(heap_growth_metric, {.bytes = {.current = now, .baseline = stored}, .current = head, .base = {}},
                    {.share = 0.0005}, verdict);
  return verdict;
}

TEST(GrowthRule, TwelveThousandBytesAStepAgainstThreeHundredAreRed) {
  const MetricVerdict verdict = judge_heap(six(12'000), six(300));
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "leak");
  EXPECT_THAT(verdict.detail, HasSubstr("300 B -> 11.7 KiB per step"));
  EXPECT_EQ(verdict.baseline, 300);
  EXPECT_EQ(verdict.current, 12'000);
}

TEST(GrowthRule, TwoKibibytesAreRedWhereTheNoiseIsSmall) {
  EXPECT_EQ(judge_heap(six(2'300), six(300)).status, Status::regressed);
  EXPECT_EQ(judge_heap(six(2'300, 60, 700), six(300, 60, 700)).status, Status::pass) << "it is within the noise";
}

TEST(GrowthRule, ADifferenceWithinTheResolutionSaysNothing) {
  EXPECT_EQ(judge_heap(six(448, 0, 0), six(56, 0, 0)).status, Status::pass);
  EXPECT_EQ(judge_heap(six(1'100, 0, 0), six(56, 0, 0)).status, Status::regressed);
}

TEST(GrowthRule, AnUnchangedGrowthOfALibraryPasses) {
  // gloo keeps about 3 KB a step, in unequal steps.
  EXPECT_EQ(judge_heap(six(3'100, 200, 600), six(2'900, 200, 600)).status, Status::pass);
  EXPECT_EQ(judge_heap(six(15'600, 300, 600), six(15'200, 300, 600)).status, Status::pass);
}

TEST(GrowthRule, ProcessesThatOverlapAreNotRed) {
  Growths head = six(12'000);
  head[3].per_step = 100;
  EXPECT_EQ(judge_heap(head, six(300)).status, Status::pass);
}

TEST(GrowthRule, LessGrowthIsImproved) { EXPECT_EQ(judge_heap(six(300), six(12'000)).status, Status::improved); }

TEST(GrowthRule, AboveTheFloorTheRuleOfBytesHoldsWhateverTheNoise) {
  // Chunks of 1 MiB: the steps are as unequal as can be.
  const MetricVerdict verdict = judge_heap(six(65'536, 0, 38'000), six(300));
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "leak");
}

TEST(GrowthRule, AStoredGrowthIsHeldAgainstTheNoiseOfTheHead) {
  EXPECT_EQ(name_of(judge_against_stored(six(262'500), {262'160, 262'176}).reason), "within-limit");
  EXPECT_EQ(judge_against_stored(six(300'000), {262'160, 262'176}).status, Status::inconclusive);
  EXPECT_EQ(judge_against_stored(six(300'000, 0), {262'160}).status, Status::regressed);
  EXPECT_EQ(judge_against_stored(six(12'000), {0}).status, Status::pass) << "what the floor hid was not stored";
}

TEST(GrowthRule, MoreProcessesAreWorthwhileWhereTheDifferenceLooksReal) {
  const auto side = [](double per_step) {
    CaseValues values;
    const Growths growths = six(per_step);
    values.growth[std::string(heap_growth_metric.name)] = {growths[0], growths[1]};
    return values;
  };
  EXPECT_TRUE(may_grow_more(side(300), side(12'000)));
  EXPECT_FALSE(may_grow_more(side(300), side(900)));
  EXPECT_FALSE(may_grow_more(side(12'000), side(300)));
  EXPECT_FALSE(may_grow_more({}, side(12'000)));
  CaseValues once = side(300);
  for (LevelGrowth& growth : once.growth.begin()->second) growth.one_off = 1024 * 1024;
  EXPECT_TRUE(may_grow_more(side(300), once)) << "it may be the first of many";
  EXPECT_FALSE(may_grow_more(once, once));
}

/// A process whose steps add `extra`, and what an unchanged heap adds: 56 to 448 B a step in the mean, at irregular
/// steps.
LevelGrowth process_that_adds(double extra, std::mt19937& random) {
  constexpr std::int64_t steps = 11;
  std::vector<double> added;
  for (std::int64_t i = 0; i < steps; ++i) {
    const bool adds = std::uniform_real_distribution<>(0, 1)(random) < 0.3;
    added.push_back(extra + (adds ? std::uniform_real_distribution<>(64, 2900)(random) : 0));
  }
  return {.per_step = mean(added), .noise = std::sqrt(sample_variance(added) / steps), .steps = steps};
}

TEST(GrowthRule, TwoProcessesOfEachSideAreEnoughForTwelveThousandBytesAndNoUnchangedHeapIsRed) {
  std::mt19937 random(7);
  const auto certain = [&](double extra) {
    std::vector<LevelGrowth> head;
    std::vector<LevelGrowth> base;
    for (int process = 0; process < 2; ++process) {
      head.push_back(process_that_adds(extra, random));
      base.push_back(process_that_adds(0, random));
    }
    const auto found = growth_difference(heap_growth_metric, {.bytes = {}, .current = head, .base = base}, 0.0005);
    return found && found->above && found->difference() > found->reach;
  };
  int unchanged = 0;
  int leaking = 0;
  for (int i = 0; i < 4000; ++i) unchanged += certain(0) ? 1 : 0;
  for (int i = 0; i < 400; ++i) leaking += certain(12'000) ? 1 : 0;
  EXPECT_LE(unchanged, 2) << "of 4 000; 0.0005 of them were allowed";
  EXPECT_GE(leaking, 380);
}

}  // namespace
}  // namespace stepgate
