#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr double ms = 1e6;

TEST(BoundaryTime, NamesTheBoundaryAndItsShareOfTheIncrease) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 14.3 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 8.1 * ms);
  sample.timed("backward_ns", Status::pass, 5 * ms, 5.2 * ms);
  const auto findings = explain_boundary_time(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "boundary-slower");
  EXPECT_EQ(findings[0].message, "forward +4.10 ms of the step's +4.30 ms (95 %)");
}

TEST(BoundaryTime, NamesABoundaryOfTheLoopsOwn) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 14 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 4.1 * ms);
  sample.timed("boundary_ns[critic]", Status::pass, 4 * ms, 7.8 * ms);
  const auto findings = explain_boundary_time(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].boundary, "critic");
  EXPECT_EQ(findings[0].message, "critic +3.80 ms of the step's +4.00 ms (95 %)");
}

TEST(BoundaryTime, FallsBackToStoredAndMeasuredMedians) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 12 * ms);
  sample.runner.sessions = {{"", 0, "", {{"data_wait_ns", {1 * ms, 1 * ms, 7 * ms}}}}};
  sample.current.timed["data_wait_ns"] = {3 * ms, 3 * ms, 3 * ms};
  EXPECT_THAT(explain_boundary_time(sample.input())[0].message, HasSubstr("data_wait +2.00 ms of the step's +2.00 ms"));
}

TEST(BoundaryTime, TellsLostOverlapFromASlowBoundary) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 14 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 4.1 * ms);
  sample.timed("h2d_ns", Status::pass, 2 * ms, 2 * ms);
  EXPECT_EQ(name_of(explain_boundary_time(sample.input())[0].code), "overlap-lost");
}

/// A compiled step has one boundary where its eager twin has three.
TEST(BoundaryTime, SaysNothingWhereTheSidesShareFewBoundaries) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 7.2 * ms, 8.5 * ms);
  sample.timed("data_wait_ns", Status::pass, 0.01 * ms, 0.01 * ms);
  sample.timed("logging_ns", Status::pass, 0.02 * ms, 0.024 * ms);
  EXPECT_TRUE(explain_boundary_time(sample.input()).empty());
  sample.timed("forward_ns", Status::pass, 4 * ms, 4 * ms);
  EXPECT_EQ(name_of(explain_boundary_time(sample.input())[0].code), "overlap-lost");
}

TEST(BoundaryTime, NamesSeveralWhereNoneLeads) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 13 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 5.2 * ms);
  sample.timed("backward_ns", Status::pass, 5 * ms, 6 * ms);
  sample.timed("optimizer_ns", Status::pass, 1 * ms, 1 * ms);
  EXPECT_EQ(explain_boundary_time(sample.input())[0].message,
            "several boundaries: forward +1.20 ms, backward +1.00 ms of the step's +3.00 ms");
}

TEST(BoundaryTime, PointsAtTheMachineWhereEverythingGrewAlike) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 10 * ms, 11 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 4.4 * ms);
  sample.timed("backward_ns", Status::pass, 5 * ms, 5.5 * ms);
  sample.timed("optimizer_ns", Status::pass, 1 * ms, 1.1 * ms);
  const auto findings = explain_boundary_time(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(name_of(findings[1].code), "slower-everywhere");
  EXPECT_EQ(findings[1].severity, Severity::warning);
}

TEST(BoundaryTime, SaysNothingOnGreen) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::pass, 10 * ms, 14 * ms);
  sample.timed("forward_ns", Status::pass, 4 * ms, 8 * ms);
  EXPECT_THAT(explain_boundary_time(sample.input()), IsEmpty());
}

TEST(BoundaryTime, NotesABoundaryThatGotSlowerBelowTheMarginOfTheStep) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::pass, 10 * ms, 10.2 * ms);
  sample.timed("forward_ns", Status::not_judged, 4 * ms, 4.1 * ms);
  sample.timed("optimizer_ns", Status::not_judged, 0.75 * ms, 0.96 * ms);
  MetricVerdict& optimizer = sample.verdict.metrics.back();
  optimizer.reason = ReasonCode::slower_below_margin;
  optimizer.change = 0.28;
  optimizer.interval = Interval{0.21, 0.36};
  const auto findings = note_slower_boundaries(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "boundary-slower-below-margin");
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_TRUE(is_observation(findings[0])) << "every report shows it, beside a pass too";
  EXPECT_EQ(findings[0].message,
            "optimizer got slower, +28.0 % [+21.0 %, +36.0 %]: 2.1 % of the step, below its margin");
  EXPECT_EQ(findings[0].boundary, "optimizer");
  EXPECT_THAT(explain_boundary_time(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
