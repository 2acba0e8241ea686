// Which node gets which part of a comparison.
#include "core/study/shard_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace stepgate {
namespace {

using ::testing::ElementsAre;

ShardPlan plan_of(std::int64_t shards, NodeLayout layout, int cases) {
  ShardPlan plan;
  plan.tier = TierChoice::all;
  plan.shards = shards;
  plan.layout = layout;
  for (int i = 0; i < cases; ++i) {
    PlannedCase planned;
    planned.plan.case_name = "case" + std::to_string(i);
    planned.tries = 6;
    plan.cases.push_back(planned);
  }
  return plan;
}

TEST(ShardPlan, ASweepNeedsNoControl) {
  ShardPlan plan = plan_of(2, NodeLayout::by_round, 1);
  plan.tier = TierChoice::timed;
  EXPECT_EQ(share_of(plan, 2).control_case, "case0");
  plan.sweep.emplace();
  EXPECT_EQ(share_of(plan, 2).control_case, "");
  EXPECT_THAT(share_of(plan, 2).shares.at(0).pairs, ElementsAre(1, 3, 5));
  EXPECT_FALSE(share_of(plan, 1).shares.at(0).exact);
}

TEST(ShardPlan, ARoundHasOnePairOfEveryNode) {
  const ShardPlan plan = plan_of(4, NodeLayout::by_round, 1);
  EXPECT_THAT(share_of(plan, 1).shares.at(0).pairs, ElementsAre(0, 4));
  EXPECT_THAT(share_of(plan, 2).shares.at(0).pairs, ElementsAre(1, 5));
  EXPECT_THAT(share_of(plan, 4).shares.at(0).pairs, ElementsAre(3));
  EXPECT_TRUE(share_of(plan, 1).shares.at(0).exact);
  EXPECT_FALSE(share_of(plan, 2).shares.at(0).exact) << "one node measures the exact half";
}

TEST(ShardPlan, ByCaseANodeHasAllPairsOfItsCases) {
  const ShardPlan plan = plan_of(2, NodeLayout::by_case, 3);
  const ShardWork first = share_of(plan, 1);
  ASSERT_EQ(first.shares.size(), 2u);
  EXPECT_EQ(first.shares[1].case_name, "case2");
  EXPECT_EQ(first.shares[1].pairs.size(), 6u);
  EXPECT_EQ(share_of(plan, 2).control_case, "case1") << "a case that the node measures";
}

TEST(ShardPlan, TheControlIsAnotherCaseOnEachNode) {
  const ShardPlan plan = plan_of(3, NodeLayout::by_round, 3);
  std::set<std::string> controls;
  for (std::int64_t shard = 1; shard <= 3; ++shard) controls.insert(share_of(plan, shard).control_case);
  EXPECT_EQ(controls.size(), 3u);
}

TEST(ShardPlan, TierExactHasNoPairsAndNoControl) {
  ShardPlan plan = plan_of(2, NodeLayout::by_round, 1);
  plan.tier = TierChoice::exact;
  EXPECT_TRUE(share_of(plan, 1).shares.at(0).exact);
  EXPECT_TRUE(share_of(plan, 1).shares.at(0).pairs.empty());
  EXPECT_EQ(share_of(plan, 1).control_case, "");
  EXPECT_TRUE(share_of(plan, 2).shares.empty());
}

}  // namespace
}  // namespace stepgate
