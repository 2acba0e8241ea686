#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

TEST(FirstStep, IsACauseOfItsOwnWhereLaterStepsHold) {
  SampleCase sample;
  sample.timed("first_step_ns", Status::regressed, 100e6, 150e6);
  sample.timed("step_time_ns", Status::pass, 10e6, 10e6);
  const auto findings = explain_first_step(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message, "first step +50.0 ms; later steps 0 ns");
}

TEST(FirstStep, SaysWhenFasterStepsHaveCaughtUp) {
  SampleCase sample;
  sample.timed("first_step_ns", Status::regressed, 100e6, 150e6);
  sample.timed("step_time_ns", Status::improved, 10e6, 9e6);
  EXPECT_EQ(explain_first_step(sample.input())[0].message,
            "first step +50.0 ms; later steps -1.00 ms; caught up after 51 steps");
  SampleCase unproven;
  unproven.timed("first_step_ns", Status::regressed, 100e6, 150e6);
  unproven.timed("step_time_ns", Status::pass, 10e6, 9e6);
  EXPECT_EQ(explain_first_step(unproven.input())[0].message, "first step +50.0 ms; later steps -1.00 ms");
}

TEST(FirstStep, FollowsFromASlowStep) {
  SampleCase sample;
  sample.timed("first_step_ns", Status::regressed, 100e6, 150e6);
  sample.timed("step_time_ns", Status::regressed, 10e6, 55e6);
  EXPECT_EQ(explain_first_step(sample.input())[0].severity, Severity::note);
}

TEST(FirstStep, SaysNothingOnGreen) {
  SampleCase sample;
  sample.timed("first_step_ns", Status::pass, 100e6, 150e6);
  EXPECT_TRUE(explain_first_step(sample.input()).empty());
}

}  // namespace
}  // namespace stepgate
