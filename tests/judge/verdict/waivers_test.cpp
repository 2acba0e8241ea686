#include "judge/verdict/waivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// One byte above the baseline, waived until `until`; today is 2026-11-21.
ExampleCase waived_until(const std::string& until) {
  ExampleCase example = example_case();
  example.values.bytes["peak_allocated_bytes"] = {4097, 4097};
  example.policy.waivers = {{.case_name = "example/mlp/tiny",
                             .metric = "peak_allocated_bytes",
                             .owner = "grace",
                             .until = until,
                             .reason = "new optimizer state"}};
  return example;
}

TEST(Waivers, AnActiveOneExcusesARegression) {
  const CaseVerdict verdict = waived_until("2026-12-31").judge();
  EXPECT_EQ(verdict.status, Status::pass);
  const MetricVerdict metric = verdict_on(verdict, "peak_allocated_bytes");
  EXPECT_EQ(metric.status, Status::pass);
  EXPECT_EQ(name_of(metric.reason), "waived");
  EXPECT_FALSE(metric.gating);
  EXPECT_THAT(metric.detail, HasSubstr("waived by grace until 2026-12-31 (new optimizer state): 4 096 B -> 4 097 B"));
}

TEST(Waivers, HoldOnTheirLastDayAndFailOnTheNext) {
  EXPECT_EQ(waived_until("2026-11-21").judge().status, Status::pass);
  const CaseVerdict verdict = waived_until("2026-11-20").judge();
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(name_of(verdict.reason), "waiver-expired");
  EXPECT_THAT(verdict.detail, HasSubstr("grace ended on 2026-11-20"));
}

TEST(Waivers, AnExpiredOneFailsThoughNothingRegressed) {
  ExampleCase example = waived_until("2020-01-01");
  example.values.bytes["peak_allocated_bytes"] = {4096, 4096};
  EXPECT_EQ(name_of(example.judge().reason), "waiver-expired");
}

TEST(Waivers, OfAnotherCaseOrMetricExcuseNothing) {
  ExampleCase other_case = waived_until("2026-12-31");
  other_case.policy.waivers[0].case_name = "example/mlp/small";
  EXPECT_EQ(other_case.judge().status, Status::regressed);
  other_case.policy.waivers[0].until = "2020-01-01";
  EXPECT_EQ(name_of(other_case.judge().reason), "above-limit");

  ExampleCase other_metric = waived_until("2026-12-31");
  other_metric.policy.waivers[0].metric = "resident_bytes";
  EXPECT_EQ(other_metric.judge().status, Status::regressed);
}

TEST(Waivers, ExcuseARegressionNotAMissingMeasurement) {
  ExampleCase example = waived_until("2026-12-31");
  example.values.bytes.erase("peak_allocated_bytes");
  EXPECT_EQ(example.judge().status, Status::failed);
}

TEST(Waivers, ExpireOnlyInTheHalfTheyBelongTo) {
  ExampleCase example = waived_until("2020-01-01");
  example.judge_exact = false;
  EXPECT_EQ(example.judge().status, Status::pass);
  example.policy.waivers[0].metric = "no_such_metric";
  EXPECT_EQ(name_of(example.judge().reason), "waiver-expired");
}

TEST(Waivers, ACaseWithNothingButWaivedRegressionsPasses) {
  ExampleCase example = waived_until("2026-12-31");
  example.judge_timed = false;
  example.values.exact.clear();
  example.portable.exact.clear();
  example.values.numerics.clear();
  example.portable.numerics.reset();
  example.values.bytes.erase("leak_bytes_per_step");
  example.portable.bytes.erase("leak_bytes_per_step");
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(example.judge().reason), "waived");
}

TEST(Waivers, EndAtMostAYearFromToday) {
  EXPECT_EQ(waived_until("2027-11-21").judge().status, Status::pass);
  try {
    waived_until("2027-11-22").judge();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(std::string(error.what()),
              "policy: waivers[0].until is 2027-11-22, more than a year from today (2026-11-21)");
    EXPECT_THAT(error.remedy(), HasSubstr("2027-11-21 at the latest"));
  }
  ExampleCase leap_day = waived_until("2029-02-28");
  leap_day.today = "2028-02-29";
  EXPECT_EQ(leap_day.judge().status, Status::pass);
  leap_day.policy.waivers[0].until = "2029-03-01";
  EXPECT_THROW(leap_day.judge(), Error);
}

TEST(Waivers, NeedDates) {
  EXPECT_THROW(waived_until("next week").judge(), Error);
  ExampleCase example = waived_until("2026-12-31");
  example.today = "21.11.2026";
  EXPECT_THROW(example.judge(), Error);
}

}  // namespace
}  // namespace stepgate
