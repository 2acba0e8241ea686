#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A red rate that the policy lets gate, beside a step of 20 ms on both sides.
SampleCase with_red_samples(double before, double now) {
  SampleCase sample;
  sample.timed("step_time_mean_ns", Status::pass, 20e6, 20e6);
  sample.timed("samples_per_s", Status::regressed, before, now);
  return sample;
}

TEST(ChangedWork, IsTheCauseOfARateThatFallsBesideTheSameStepTime) {
  const auto findings = explain_changed_work(with_red_samples(1600, 800).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "less-work-per-step");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].metric, "samples_per_s");
  EXPECT_EQ(findings[0].message,
            "samples: the work of a step changed by -50.0 % (32 -> 16 a step), so the rate is lower than the step time "
            "says");
  EXPECT_THAT(findings[0].advice, HasSubstr("size of the batches"));
}

TEST(ChangedWork, OfARequestIsTheCauseBesideTheSameLatency) {
  SampleCase sample;
  sample.current.timed["latency_mean_ns"] = {1e6};
  sample.timed("latency_mean_ns", Status::pass, 1e6, 1e6);
  sample.timed("samples_per_s", Status::regressed, 8000, 4000);
  const auto findings = explain_changed_work(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "samples: the work of a request changed by -50.0 % (8 -> 4 a request), so the rate is lower than the mean "
            "latency says");
}

TEST(ChangedWork, IsNoneWhereTheStepTimeSaysIt) {
  SampleCase sample;
  sample.timed("step_time_mean_ns", Status::regressed, 20e6, 25e6);
  sample.timed("samples_per_s", Status::regressed, 1600, 1280);
  EXPECT_THAT(explain_changed_work(sample.input()), IsEmpty());
}

TEST(ChangedWork, IsNotAskedOfARateThatOnlyExplains) {
  SampleCase sample = with_red_samples(1600, 800);
  sample.verdict.metrics.back().gating = false;
  EXPECT_THAT(explain_changed_work(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
