#include "report/studies/break_even_report.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

BreakEvenStudy compiled_study() {
  return {.fast = {.case_name = "a/lm/compiled",
                   .values = {{"first_step_ns", 70e6}, {"step_time_ns", 4.8e6}, {"graph_kernel_nodes", 812}},
                   .compile_seconds = 112},
          .twin = {.case_name = "a/lm/eager", .values = {{"first_step_ns", 10e6}, {"step_time_ns", 5.6e6}}},
          .steps = 76,
          .steps_with_compiling = 140'076};
}

TEST(BreakEvenReport, ListsBothCasesAndWhenTheFirstHasCaughtUp) {
  EXPECT_EQ(render_break_even(compiled_study()),
            "                           a/lm/compiled  a/lm/eager\n"
            "compiled ahead of time             112 s           -\n"
            "kernels in the CUDA graph            812           -\n"
            "step time                        4.80 ms     5.60 ms\n"
            "first step                       70.0 ms     10.0 ms\n"
            "\n"
            "caught up with its twin: after 76 steps\n"
            "compiled for this run alone: after 140 076 steps\n");
}

TEST(BreakEvenReport, SaysWhereItNeverDoes) {
  BreakEvenStudy study = compiled_study();
  study.steps.reset();
  study.fast.compile_seconds.reset();
  const std::string text = render_break_even(study);
  EXPECT_NE(text.find("caught up with its twin: never\n"), std::string::npos);
  EXPECT_EQ(text.find("compiled"), text.find("compiled  a/lm/eager")) << "no line about compiling";
}

}  // namespace
}  // namespace stepgate
