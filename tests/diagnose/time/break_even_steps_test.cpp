#include "diagnose/time/break_even_steps.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

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

CaseValues values_with_times(const char* name, std::vector<double> first_steps, std::vector<double> steps) {
  CaseValues values;
  values.case_name = name;
  values.timed = {{"first_step_ns", std::move(first_steps)}, {"step_time_ns", std::move(steps)}};
  return values;
}

PacedCase paced(const CaseValues& values) {
  PacedCase one;
  add_paced_values(values, one);
  return one;
}

TEST(BreakEvenStudy, TakesMediansOfTimesAndTheLastStepOfCounters) {
  CaseValues timed = values_with_times("a/graph/full", {90, 100, 300}, {4, 4, 7});
  timed.timed["enqueue_time_ns"] = {1, 2, 3};
  timed.timed["forward_ns"] = {5};
  timed.timed_fingerprint["compile_seconds"] = "112";
  CaseValues counted;
  counted.case_name = "a/graph/full";
  counted.exact = {{"graph_kernel_nodes", {{700, 701}, {9, 9}}}, {"operators_per_step", {{5}}}};
  counted.timed["first_step_ns"] = {1};
  counted.exact_fingerprint["compile_seconds"] = "5";

  PacedCase one = paced(timed);
  add_paced_values(counted, one);
  EXPECT_EQ(
      one,
      (PacedCase{
          .case_name = "a/graph/full",
          .values = {{"first_step_ns", 100}, {"step_time_ns", 4}, {"enqueue_time_ns", 2}, {"graph_kernel_nodes", 701}},
          .compile_seconds = 112}));
}

TEST(BreakEvenStudy, CountsTheTimeToCompileApart) {
  PacedCase fast = paced(values_with_times("a/compiled/tiny", {2e9}, {4e6}));
  const PacedCase twin = paced(values_with_times("a/compiled/eager", {1e9}, {6e6}));
  EXPECT_EQ(break_even_study(fast, twin).steps, 501);
  EXPECT_FALSE(break_even_study(fast, twin).steps_with_compiling);
  fast.compile_seconds = 99;
  EXPECT_EQ(break_even_study(fast, twin).steps, 501);
  EXPECT_EQ(break_even_study(fast, twin).steps_with_compiling, 50'001);
}

TEST(BreakEvenStudy, CountsTheTimeToRecordGraphs) {
  PacedCase fast = paced(values_with_times("a/graph/full", {1e9}, {4e6}));
  const PacedCase twin = paced(values_with_times("a/graph/eager", {1e9}, {6e6}));
  EXPECT_EQ(break_even_study(fast, twin).steps, 1);
  fast.values["graph_recording_ns"] = 1e9;
  EXPECT_EQ(break_even_study(fast, twin).steps, 501);
}

TEST(BreakEvenStudy, NeedsBothTimesOfBoth) {
  const PacedCase whole = paced(values_with_times("a/compiled/tiny", {2e9}, {4e6}));
  const PacedCase half = paced(values_with_times("a/compiled/eager", {1e9}, {}));
  EXPECT_FALSE(has_pace(half));
  EXPECT_THROW(break_even_study(whole, half), std::invalid_argument);
  EXPECT_THROW(break_even_study(half, whole), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
