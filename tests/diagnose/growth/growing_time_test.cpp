#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Six processes whose step takes about `per_step` longer from step to step.
std::vector<StepTrend> six_trends(double per_step) {
  std::vector<StepTrend> trends;
  for (int process = 0; process < 6; ++process)
    trends.push_back({.per_step = per_step + 0.00002 * (process - 2.5), .steps = 60});
  return trends;
}

JudgedComparison in_pairs(SampleCase sample, double head, double base) {
  sample.current.step_trends = six_trends(head);
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.trends = six_trends(base)};
  return input;
}

TEST(GrowingTime, AStepThatGetsSlowerWithItsNumberIsACauseWhereItIsRed) {
  SampleCase sample;
  sample.red("step_time_ns");
  const auto findings = explain_growing_time(in_pairs(sample, 0.001, 0));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "grows-with-steps");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("+6.1 % from the first to the last of 60 steps"));
  EXPECT_EQ(explain_growing_time(in_pairs({}, 0.001, 0))[0].severity, Severity::note) << "it is not red";
}

TEST(GrowingTime, WhatTheBaseGrowsByIsNotNew) {
  EXPECT_THAT(explain_growing_time(in_pairs({}, 0.001, 0.001)), IsEmpty());
  EXPECT_THAT(explain_growing_time(in_pairs({}, 0.00001, 0)), IsEmpty()) << "not every process gets slower";
}

TEST(GrowingTime, WithoutABaseItIsANoteFromTheMatterMarginOn) {
  SampleCase sample;
  sample.red("step_time_ns");
  sample.current.step_trends = six_trends(0.001);
  const auto findings = explain_growing_time(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  sample.current.step_trends = six_trends(0.0005);
  EXPECT_THAT(explain_growing_time(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
