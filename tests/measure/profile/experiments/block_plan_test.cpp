#include "measure/profile/experiments/block_plan.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(BlockPlan, HoldsWholeWindowsOfAtLeastTenSteps) {
  const BlockPlan plan = plan_blocks({.step_ns = 5'000'000, .variants = 8, .window = 8});
  EXPECT_EQ(plan.steps, 16);
  EXPECT_EQ(plan.rounds, 6);
}

TEST(BlockPlan, ShortStepsGetLongBlocksAndMoreRounds) {
  const BlockPlan plan = plan_blocks({.step_ns = 100'000, .variants = 8, .window = 10});
  EXPECT_EQ(plan.steps, 200) << "20 ms";
  EXPECT_EQ(plan.rounds, 16);
}

TEST(BlockPlan, InTurnsEachStepHasOneThatSettles) {
  const BlockRequest request{.step_ns = 5'000'000, .variants = 8, .window = 10, .in_turns = true};
  EXPECT_EQ(plan_blocks(request).steps, 10);
  EXPECT_EQ(plan_blocks(request).rounds, 6) << "20 steps of 8 variants take 0.8 s";
}

TEST(BlockPlan, ExperimentsThatAreLeftOutGiveTheirBlocksToTheOthers) {
  EXPECT_EQ(plan_blocks({.step_ns = 100'000, .variants = 4, .window = 10}).rounds, 16);
  EXPECT_EQ(plan_blocks({.step_ns = 100'000, .variants = 4, .all_variants = 12, .window = 10}).rounds, 48);
  const auto blocks_ns = [](std::int64_t variants) {
    const BlockPlan plan = plan_blocks({.step_ns = 5'000'000, .variants = variants, .all_variants = 12, .window = 10});
    return variants * plan.rounds * (plan.steps + plan.settle) * 5'000'000;
  };
  EXPECT_NEAR(static_cast<double>(blocks_ns(4)), 5e9, 5e8) << "no longer than all of them";
  EXPECT_NEAR(static_cast<double>(blocks_ns(12)), 5e9, 1e9);
}

TEST(BlockPlan, LongStepsGetShortBlocksButNeverLessThanAWindowOrTwoRounds) {
  const BlockPlan plan = plan_blocks({.step_ns = 200'000'000, .variants = 8, .window = 5});
  EXPECT_EQ(plan.steps, 5);
  EXPECT_EQ(plan.rounds, 2);
}

TEST(BlockPlan, AQueueIsEmptiedAndFilledBeforeEachBlock) {
  EXPECT_EQ(plan_blocks({.step_ns = 1, .loader_depth = 4}).settle, plan_blocks({.step_ns = 1}).settle + 8);
}

TEST(BlockPlan, StepsThatAreAskedForHold) {
  EXPECT_EQ(plan_blocks({.step_ns = 200'000'000, .variants = 8, .window = 5, .asked_steps = 33}).steps, 33);
}

TEST(LeastOfRanks, IsTheLeastOnEachRank) {
  // The other rank has 4711.
  const auto agree = [](std::int64_t mine) {
    return least_of_ranks(
        [mine, probed = std::int64_t{0}, bit = std::int64_t{1} << 29](bool yes) mutable {
          const bool both = yes && 4711 >= probed + bit;
          if (both) probed += bit;
          bit >>= 1;
          return both;
        },
        mine);
  };
  EXPECT_EQ(agree(9000), 4711);
  EXPECT_EQ(agree(17), 17);
  EXPECT_EQ(least_of_ranks({}, 17), 17);
}

}  // namespace
}  // namespace stepgate
