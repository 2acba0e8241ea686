#include "core/verdict/late_break.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

ProcessLosses broken_in(const std::string& pass, std::int64_t step, Group group = Group::timed) {
  return {group, 2, {{pass, {.steps = 60, .seen = 60, .last_seen = 99, .breaks = {{"loss", {step, NAN}}}}}}};
}

TEST(LateBreak, IsTheOneWithTheLowestStep) {
  const auto breaks = late_breaks({broken_in("phase", 91), broken_in("e2e", 34), broken_in("e2e", 35)});
  ASSERT_EQ(breaks.size(), 1U);
  EXPECT_EQ(text_of(breaks[0]), "nan in step 34, pass e2e of timed process 2");
  EXPECT_TRUE(late_breaks({{Group::exact, 0, {{"counts", {.steps = 3, .seen = 3, .last_seen = 2}}}}}).empty());
}

TEST(LateBreak, ABaseThatBreaksTooExcusesIt) {
  const LateBreak timed = late_breaks({broken_in("e2e", 34)})[0];
  EXPECT_TRUE(break_of_base({broken_in("warmup", 40)}, timed)) << "how many steps warm-up takes depends on time";
  EXPECT_FALSE(break_of_base({broken_in("counts", 3, Group::exact)}, timed));
  EXPECT_FALSE(break_of_base({}, timed));
  const LateBreak exact = late_breaks({broken_in("memory", 12, Group::exact)})[0];
  EXPECT_TRUE(break_of_base({broken_in("memory", 12, Group::exact)}, exact));
  EXPECT_FALSE(break_of_base({broken_in("memory", 13, Group::exact)}, exact)) << "the head breaks earlier";
}

}  // namespace
}  // namespace stepgate
