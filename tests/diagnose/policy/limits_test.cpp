#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

MetricVerdict& over_budget(SampleCase& sample, const std::string& metric, double current) {
  MetricVerdict& verdict = sample.red(metric);
  verdict.reason = ReasonCode::over_budget;
  verdict.current = current;
  verdict.limit = "budget 4000 bytes";
  return verdict;
}

TEST(BudgetFinding, TellsWhatThePeakIsMadeOfAndWhereItIs) {
  SampleCase sample;
  over_budget(sample, "peak_allocated_bytes", 4096);
  sample.current.ledger = MemoryLedger{
      .peak_bytes = 4096,
      .boundary = "backward",
      .bytes = {{"activations", 2048}, {"inputs", 40}, {"parameters", 1024}, {"setup", 8}, {"gradients", 976}}};
  const auto findings = explain_limits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "peak allocated: 4.00 KiB is over the budget 4000 bytes; at the peak, in backward: activations 50 %, "
            "parameters 25 %, gradients 24 %");
  EXPECT_THAT(findings[0].advice, HasSubstr("budgets.peak_allocated_bytes"));
}

TEST(BudgetFinding, SaysNothingAboutMemoryWhereTimeIsOver) {
  SampleCase sample;
  over_budget(sample, "step_time_ns", 5e6).limit = "budget 4 ms";
  sample.current.ledger = MemoryLedger{.peak_bytes = 4096, .boundary = "backward", .bytes = {{"activations", 2048}}};
  EXPECT_EQ(explain_limits(sample.input())[0].message, "step time: 5.00 ms is over the budget 4 ms");
}

TEST(BudgetFinding, AnOrdinaryRedIsNone) {
  SampleCase sample;
  sample.red("peak_allocated_bytes");
  EXPECT_THAT(explain_limits(sample.input()), IsEmpty());
}

MetricVerdict& below_floor(SampleCase& sample, const std::string& metric) {
  MetricVerdict& verdict = sample.red(metric);
  verdict.reason = ReasonCode::below_floor;
  verdict.current = 1601;
  verdict.limit = "floor 2 000 samples/s";
  return verdict;
}

TEST(FloorFinding, NamesTheBoundariesThatTakeMostOfTheStep) {
  SampleCase sample;
  below_floor(sample, "samples_per_s");
  sample.current.timed["step_time_ns"] = {20e6, 20e6, 20e6};
  sample.current.timed["forward_ns"] = {6e6, 6e6, 6e6};
  sample.current.timed["backward_ns"] = {9e6, 9e6, 9e6};
  const auto findings = explain_limits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "below-floor");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "samples: 1 601 samples/s is below the floor 2 000 samples/s; a step takes 20.0 ms, most of it in backward "
            "9.00 ms, forward 6.00 ms");
  EXPECT_EQ(findings[0].boundary, "backward");
  EXPECT_THAT(findings[0].advice, HasSubstr("\"floors\""));
}

TEST(FloorFinding, OfALoaderNamesNoBoundary) {
  SampleCase sample;
  below_floor(sample, "loader_samples_per_s");
  sample.current.timed["step_time_ns"] = {20e6};
  const auto findings = explain_limits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "loader supply: 1 601 samples/s is below the floor 2 000 samples/s");
  EXPECT_EQ(findings[0].boundary, "");
}

void meet_target(SampleCase& sample, const std::string& metric, double value, bool newly) {
  sample.timed(metric, Status::improved, 0.8 * value, 1.1 * value);
  sample.verdict.limits.push_back({.limit = {.kind = AbsoluteLimitKind::target, .metric = metric, .value = value},
                                   .outcome = LimitOutcome::met,
                                   .current = 1.1 * value,
                                   .newly_met = newly});
}

TEST(TargetFinding, SaysOnceWhatAnImprovementReached) {
  SampleCase sample;
  meet_target(sample, "samples_per_s", 1000, true);
  meet_target(sample, "steps_per_s", 100, true);
  meet_target(sample, "padded_tokens_per_s", 5000, false);
  const auto findings = explain_limits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "target-met");
  EXPECT_TRUE(is_observation(findings[0]));
  EXPECT_EQ(findings[0].message,
            "a target is met that was not met before: samples at least 1 000 samples/s (800 samples/s before, 1 100 "
            "samples/s now); steps at least 100 steps/s (80 steps/s before, 110 steps/s now)");
  EXPECT_EQ(findings[0].also, std::vector<std::string>{"steps_per_s"});
}

}  // namespace
}  // namespace stepgate
