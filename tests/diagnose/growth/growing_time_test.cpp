#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
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

/// Six processes in whose step one boundary takes about `per_step_ns` longer from step to step.
std::vector<StepTrend> six_boundary_trends(const std::string& boundary, double per_step_ns) {
  std::vector<StepTrend> trends = six_trends(0);
  for (std::size_t process = 0; process < trends.size(); ++process)
    trends[process].boundary_ns_per_step[boundary] = per_step_ns + 20.0 * (static_cast<double>(process) - 2.5);
  return trends;
}

JudgedComparison against_base(const SampleCase& sample, double base) {
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.trends = six_boundary_trends("data_wait", base)};
  return input;
}

/// The step takes 200 us more, and data_wait as much.
SampleCase slower_loader(double head) {
  SampleCase sample;
  sample.current.step_trends = six_boundary_trends("data_wait", head);
  sample.timed("step_time_ns", Status::regressed, 5.0e6, 5.2e6);
  sample.timed("data_wait_ns", Status::pass, 0.03e6, 0.23e6);
  return sample;
}

TEST(GrowingTime, ABoundaryThatGrowsIsTheCauseOfAStepThatHidesIt) {
  const SampleCase sample = slower_loader(3000);
  const auto findings = explain_growing_time(against_base(sample, 0));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].boundary, "data_wait");
  EXPECT_THAT(findings[0].message,
              HasSubstr("the time of data_wait, +177.0 us from the first to the last of 60 steps"));
}

TEST(GrowingTime, ABoundaryIsANoteWhereItExplainsNoRed) {
  SampleCase little = slower_loader(300);
  EXPECT_EQ(explain_growing_time(against_base(little, 0))[0].severity, Severity::note)
      << "it took most of its time from the first step on";
  SampleCase other = slower_loader(3000);
  other.verdict.metrics[0].current = 7.0e6;
  EXPECT_EQ(explain_growing_time(against_base(other, 0))[0].severity, Severity::note) << "the step takes 2 ms more";
}

TEST(GrowingTime, ALoaderThatGrowsIsTheCauseOfItsRedSupplyToo) {
  SampleCase sample = slower_loader(3000);
  sample.verdict.metrics[0].status = Status::pass;
  EXPECT_EQ(explain_growing_time(against_base(sample, 0))[0].severity, Severity::note);
  sample.timed("samples_per_s", Status::not_judged, 1600, 1500);
  sample.timed("step_time_mean_ns", Status::pass, 5.0e6, 5.2e6);
  sample.timed("loader_samples_per_s", Status::regressed, 1.2e6, 17e3);
  EXPECT_EQ(explain_growing_time(against_base(sample, 0))[0].severity, Severity::cause) << "177 of 464 us";
  sample.verdict.metrics.back().current = 2e3;
  EXPECT_EQ(explain_growing_time(against_base(sample, 0))[0].severity, Severity::note) << "it takes 4 ms longer";
}

TEST(GrowingTime, ABoundaryNeedsABaseThatDoesNotGrow) {
  const SampleCase sample = slower_loader(3000);
  EXPECT_THAT(explain_growing_time(against_base(sample, 3000)), IsEmpty());
  EXPECT_THAT(explain_growing_time(sample.input()), IsEmpty()) << "a machine that warms up slows boundaries down, too";
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
