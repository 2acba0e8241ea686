// A stream hazard is red whatever the case was compared with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

ExampleCase with_hazards(std::int64_t hazards) {
  ExampleCase example = example_case();
  example.values.exact["stream_hazards"] = {{hazards}, {hazards}};
  return example;
}

TEST(StreamHazards, AreRedWhereTheBaselineHasNone) {
  const CaseVerdict verdict = with_hazards(2).judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  const MetricVerdict hazards = verdict_on(verdict, "stream_hazards");
  EXPECT_EQ(hazards.status, Status::regressed);
  EXPECT_EQ(hazards.reason, ReasonCode::above_limit);
  EXPECT_EQ(hazards.current, 2);
  EXPECT_THAT(hazards.detail, HasSubstr("there must be none"));
}

TEST(StreamHazards, AreRedWithoutABaseline) {
  ExampleCase example = with_hazards(1);
  example.has_portable = false;
  EXPECT_EQ(example.judge().status, Status::regressed);
}

TEST(StreamHazards, AreRedWhateverTheBaselineSays) {
  ExampleCase example = with_hazards(1);
  example.portable.exact["stream_hazards"] = {1};
  EXPECT_EQ(example.judge().status, Status::regressed);
}

TEST(StreamHazards, NoneIsAPassOfThatMetricAlone) {
  ExampleCase example = with_hazards(0);
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(verdict_on(example.judge(), "stream_hazards").status, Status::pass);
  example.has_portable = false;
  EXPECT_EQ(example.judge().status, Status::no_baseline);
  EXPECT_EQ(verdict_on(example.judge(), "operators_per_step").status, Status::no_baseline);
}

TEST(StreamHazards, ABaselineWithoutWorkStaysNone) {
  ExampleCase example = with_hazards(0);
  example.portable.exact.clear();
  example.portable.bytes.clear();
  example.portable.numerics.reset();
  EXPECT_EQ(example.judge().status, Status::no_baseline);
}

TEST(StreamHazards, AreNotMissedWhereTheyWereNotLookedFor) {
  const CaseVerdict verdict = example_case().judge();
  EXPECT_EQ(verdict.status, Status::pass);
  for (const MetricVerdict& metric : verdict.metrics) EXPECT_NE(metric.metric, "stream_hazards");
}

}  // namespace
}  // namespace stepgate
