#include "judge/reduce/pairs/matched_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stepgate {
namespace {

/// A process whose steps took `wall_ns`, where step i has a batch of 100 + i tokens.
RunRecord process(const std::vector<std::int64_t>& wall_ns, const char* clock = "steady_clock") {
  RunRecord record;
  TimedPass& pass = record.timed["e2e"];
  pass.clock = clock;
  for (std::size_t i = 0; i < wall_ns.size(); ++i) {
    StepSample step;
    step.wall_ns = wall_ns[i];
    step.samples = 8;
    step.padded_tokens = 100 + static_cast<std::int64_t>(i);
    pass.steps.push_back(step);
  }
  return record;
}

TimedPass& pass_of(RunRecord& record) { return record.timed["e2e"]; }

TEST(MatchedSteps, TheTypicalRatioOfSteps) {
  const auto log = matched_step_log(process({100, 200, 300}), process({110, 220, 900}));
  ASSERT_TRUE(log);
  EXPECT_NEAR(*log, std::log(1.1), 1e-12);
}

TEST(MatchedSteps, BatchesOfDifferentLengthCancelWhereMediansFlip) {
  // Two kinds of batches, and a slow step on each side: the medians are 100 and 200.
  const RunRecord base = process({100, 200, 100, 200, 101});
  const RunRecord head = process({100, 200, 202, 200, 100});
  EXPECT_NEAR(matched_step_log(base, head).value(), 0, 1e-12);
}

TEST(MatchedSteps, SwappingTheSidesTurnsTheSign) {
  const RunRecord one = process({100, 205, 310, 390});
  const RunRecord other = process({104, 200, 333, 391});
  EXPECT_DOUBLE_EQ(matched_step_log(one, other).value(), -matched_step_log(other, one).value());
}

TEST(MatchedSteps, OtherWorkIsNotMatched) {
  RunRecord head = process({110, 220, 330});
  pass_of(head).steps[1].padded_tokens = 7;
  EXPECT_FALSE(matched_step_log(process({100, 200, 300}), head));
  pass_of(head).steps[1].padded_tokens = 101;
  EXPECT_TRUE(matched_step_log(process({100, 200, 300}), head));
  EXPECT_FALSE(matched_step_log(process({100, 200}), head));
  EXPECT_FALSE(matched_step_log(process({100, 200, 300}, "virtual"), head));
  EXPECT_FALSE(matched_step_log(RunRecord{}, head));
}

TEST(MatchedSteps, MatchesLengthsWithinOnePaddingButNotOtherShapes) {
  RunRecord head = process({110, 220, 330});
  pass_of(head).steps[2].effective_tokens = 5;
  EXPECT_TRUE(matched_step_log(process({100, 200, 300}), head));
  pass_of(head).steps[2].shape = 9;
  EXPECT_FALSE(matched_step_log(process({100, 200, 300}), head));
}

TEST(MatchedSteps, WhereOneSideWarmedUpForLongerTheSameBatchesAreCompared) {
  RunRecord base = process({100, 200, 300, 400, 500, 600});
  RunRecord head = process({330, 440, 550, 660, 9, 9});
  for (std::size_t i = 0; i < 6; ++i) pass_of(head).steps[i].padded_tokens += 2;
  base.warmup = Warmup{.first_step_ns = 1, .steps = 10, .steady = true, .reasons = {}};
  head.warmup = Warmup{.first_step_ns = 1, .steps = 12, .steady = true, .reasons = {}};
  EXPECT_NEAR(matched_step_log(base, head).value(), std::log(1.1), 1e-12);
  EXPECT_NEAR(matched_step_log(head, base).value(), -std::log(1.1), 1e-12);
  head.warmup->steps = 13;
  EXPECT_FALSE(matched_step_log(base, head)) << "three batches apart is another three";
}

TEST(MatchedSteps, AStepThatIsColdOnEitherSideIsLeftOut) {
  RunRecord base = process({1000, 100, 100});
  RunRecord head = process({200, 1000, 120});
  pass_of(base).steps[0].cold_shape = true;
  pass_of(head).steps[1].cold_shape = true;
  EXPECT_NEAR(matched_step_log(base, head).value(), std::log(1.2), 1e-12);
  pass_of(head).steps[2].cold_shape = true;
  EXPECT_FALSE(matched_step_log(base, head));
}

TEST(MatchedSteps, OnAnAsynchronousClockWindowsCount) {
  RunRecord base = process({1, 1, 1, 1}, "cuda_events+steady_clock");  // enqueued at once
  RunRecord head = process({5, 5, 5, 5}, "cuda_events+steady_clock");
  pass_of(base).windows = {{.wall_ns = 2000, .first_step = 0, .steps = 2},
                           {.wall_ns = 4000, .first_step = 2, .steps = 2}};
  pass_of(head).windows = {{.wall_ns = 2100, .first_step = 0, .steps = 2},
                           {.wall_ns = 4200, .first_step = 2, .steps = 2}};
  EXPECT_NEAR(matched_step_log(base, head).value(), std::log(1.05), 1e-12);
  pass_of(head).steps[3].padded_tokens = 7;
  EXPECT_FALSE(matched_step_log(base, head)) << "the last window did other work";
}

}  // namespace
}  // namespace stepgate
