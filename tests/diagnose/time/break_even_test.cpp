#include "diagnose/time/break_even.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

constexpr StartAndPace eager = {.start_ns = 0, .first_step_ns = 10, .step_ns = 6};

TEST(BreakEven, IsTheFirstStepAfterWhichTheFastStepHasCaughtUp) {
  // 100 against 10 at once, then 2 a step less: 90 / 2 further steps.
  EXPECT_EQ(break_even_steps({.start_ns = 80, .first_step_ns = 20, .step_ns = 4}, eager), 46);
  EXPECT_EQ(break_even_steps({.start_ns = 81, .first_step_ns = 20, .step_ns = 4}, eager), 47);
}

TEST(BreakEven, IsTheFirstStepWhereNothingWasLost) {
  EXPECT_EQ(break_even_steps({.start_ns = 0, .first_step_ns = 10, .step_ns = 9}, eager), 1);
}

TEST(BreakEven, IsNeverWhereTheStepIsNotFaster) {
  EXPECT_FALSE(break_even_steps({.start_ns = 1, .first_step_ns = 10, .step_ns = 6}, eager));
}

}  // namespace
}  // namespace stepgate
