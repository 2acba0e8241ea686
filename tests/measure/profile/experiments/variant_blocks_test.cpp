#include "measure/profile/experiments/variant_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/profile/experiments/altered_step.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST(OrderOfRound, IsDrawnFromTheSeedAndRotates) {
  const auto first = order_of_round(5, 0, 7);
  EXPECT_THAT(first, UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(order_of_round(5, 1, 7), (std::vector<std::size_t>{first[1], first[2], first[3], first[4], first[0]}));
  bool other = false;
  for (std::uint64_t seed = 8; seed < 12; ++seed) other = other || order_of_round(5, 0, seed) != first;
  EXPECT_TRUE(other) << "another process has another order";
}

class VariantBlocks : public testing::Test {
 protected:
  FakeBackend backend_{test::like_cpu};
  ScriptedStep step_{backend_, {test::host_step(100)}};
  AlteredStep altered_{step_, backend_, [this](std::int64_t until_ns) {
                         const std::int64_t left = until_ns - backend_.now_ns();
                         if (left > 0) backend_.work_on_host(left);
                       }};
  TimedRun run_{.actions = altered_, .backend = backend_, .steps = {}};
};

TEST_F(VariantBlocks, EachRoundHasOneBlockOfEveryVariantUnderItsChange) {
  std::vector<std::string> calls;
  const auto note = [&](const char* what) { return [&calls, what] { calls.emplace_back(what); }; };
  std::vector<StepVariant> variants = {{.name = "baseline"},
                                       {.name = "delayed-loader", .delay_ns = 30},
                                       {.name = "logging-off", .begin = note("off"), .end = note("on")}};
  variants[1].begin = [&] { altered_.set_pace(LoaderPace({}, 30)); };
  variants[1].end = [&] { altered_.set_pace(std::nullopt); };
  const auto blocks = run_variant_blocks({.run = run_,
                                          .variants = variants,
                                          .plan = {.steps = 4, .rounds = 2, .settle = 3},
                                          .seed = 1,
                                          .before_each = note("empty")});
  ASSERT_THAT(blocks, SizeIs(6));
  std::vector<std::string> seen[2];
  for (const VariantBlock& block : blocks) {
    seen[static_cast<std::size_t>(block.round)].push_back(block.variant);
    EXPECT_EQ(block.steps, 4);
    // The settling steps are not in it, and the delay ends with its block.
    EXPECT_EQ(block.wall_ns, block.variant == "delayed-loader" ? 4 * 130 : 4 * 100) << block.variant;
    EXPECT_EQ(block.delay_ns, block.variant == "delayed-loader" ? 30 : 0);
  }
  EXPECT_THAT(seen[0], UnorderedElementsAre("baseline", "delayed-loader", "logging-off"));
  EXPECT_THAT(seen[1], UnorderedElementsAre("baseline", "delayed-loader", "logging-off"));
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_EQ(run_.next_step, 6 * (3 + 4));
  EXPECT_THAT(calls, SizeIs(6 + 4));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] != "off") continue;
    EXPECT_EQ(calls[i - 1], "empty");
    EXPECT_EQ(calls[i + 1], "on") << "undone before the next block";
  }
}

/// A step takes 100, and one that is delayed 130.
TEST_F(VariantBlocks, VariantsThatMayTakeTurnsStepByStep) {
  std::vector<std::string> calls;
  const auto note = [&](const char* what) { return [&calls, what] { calls.emplace_back(what); }; };
  std::vector<StepVariant> variants = {
      {.name = "baseline",
       .prepare = note("prepare"),
       .begin = note("step"),
       .undo = note("undo"),
       .keep_rhythm = note("draw")},
      {.name = "delayed-loader", .delay_ns = 30},
      {.name = "thief", .begin = note("thief"), .end = note("gone"), .may_take_turns = false}};
  variants[1].begin = [&] {
    altered_.set_pace(LoaderPace({}, 30));
    calls.emplace_back("slow");
  };
  variants[1].end = [&] { altered_.set_pace(std::nullopt); };
  const auto blocks = run_variant_blocks({.run = run_,
                                          .variants = variants,
                                          .plan = {.steps = 4, .rounds = 2, .settle = 3, .window = 4},
                                          .seed = 1,
                                          .in_turns = true});
  ASSERT_THAT(blocks, SizeIs(6));
  for (const VariantBlock& block : blocks) {
    EXPECT_EQ(block.steps, 4);
    EXPECT_EQ(block.wall_ns, block.variant == "delayed-loader" ? 4 * 130 : 4 * 100) << block.variant;
    EXPECT_EQ(block.delay_ns, block.variant == "delayed-loader" ? 30 : 0);
  }
  EXPECT_THAT((std::vector<std::int64_t>{blocks[0].round, blocks[2].round, blocks[3].round, blocks[5].round}),
              ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(blocks[2].variant, "thief") << "alone, after the turns";
  EXPECT_EQ(run_.next_step, 2 * (2 * 4 * 2 + 1 + 3 + 4)) << "each turn settles, and half-way a step is skipped";
  ASSERT_THAT(calls, SizeIs(2 * (1 + 4 * 3 + 4 + 1 + 2)));
  EXPECT_EQ(calls[0], "prepare");
  EXPECT_THAT(std::vector<std::string>(calls.begin() + 1, calls.begin() + 17), Contains("draw").Times(8))
      << "one for each step";
  EXPECT_EQ(calls[17], "undo");
  EXPECT_EQ(calls[18], "thief");
  EXPECT_EQ(calls[19], "gone");
}

TEST_F(VariantBlocks, NoRoundBeginsThatWouldEndTooLate) {
  const std::vector<StepVariant> variants = {{.name = "baseline"}, {.name = "logging-off"}};
  constexpr std::int64_t round_ns = 2 * 4 * 100;
  const auto blocks = [&](std::int64_t most_ns) {
    return run_variant_blocks(
        {.run = run_, .variants = variants, .plan = {.steps = 4, .rounds = 4, .settle = 0}, .most_ns = most_ns});
  };
  EXPECT_THAT(blocks(0), SizeIs(4 * 2));
  EXPECT_THAT(blocks(5 * round_ns / 2), SizeIs(2 * 2));
  EXPECT_THAT(blocks(1), SizeIs(2)) << "the first round always runs";
  run_.agree = [](bool /*mine*/) { return false; };
  EXPECT_THAT(blocks(100 * round_ns), SizeIs(2)) << "another rank has no time left";
}

TEST_F(VariantBlocks, ASynchronisationAtEachBoundaryWaitsForTheDevice) {
  FakeBackend gpu;
  ScriptedStep queued(gpu, {test::queued_step()});
  AlteredStep altered(queued, gpu, {});
  TimedRun run{.actions = altered, .backend = gpu, .steps = {}};
  const std::vector<StepVariant> variants = {
      {.name = "extra-sync", .begin = [&] { altered.set_sync(true); }, .end = [&] { altered.set_sync(false); }}};
  const auto blocks =
      run_variant_blocks({.run = run, .variants = variants, .plan = {.steps = 2, .rounds = 1, .settle = 0}});
  EXPECT_EQ(blocks.at(0).wall_ns, 2 * (28 + 20 + 350)) << "nothing of host and device runs at the same time";
}

}  // namespace
}  // namespace stepgate
