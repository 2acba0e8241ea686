#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Noise, TellsSpreadDetectableChangeAndWhatWouldHelp) {
  SampleCase sample;
  MetricVerdict& step = sample.judged("step_time_ns", Status::inconclusive);
  step.detectable_change = 0.071;
  step.more_replicates = 6;
  sample.current.timed["step_time_ns"] = {10e6, 9.5e6, 10.9e6};
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "step time: 3 replicates lie 14.0 % apart (9.50 ms to 10.9 ms); this plan could detect +7.1 %");
  EXPECT_THAT(findings[0].advice, HasSubstr("about 6 more"));
}

TEST(Noise, AsksForSessionsOrASecondBuildWhereSessionsDecide) {
  SampleCase sample;
  MetricVerdict& step = sample.judged("step_time_ns", Status::inconclusive);
  step.reason = ReasonCode::interval_too_wide;
  step.more_replicates = 4;
  JudgedComparison input = sample.input();
  EXPECT_EQ(explain_noise(input)[0].advice,
            "4 more sessions, half an hour apart, would decide it if nothing else changes; or compare two builds: "
            "stepgate gate --base-build DIR.");
  input.verdict.metrics[0].more_replicates.reset();
  EXPECT_EQ(explain_noise(input)[0].advice,
            "more sessions would not decide it: compare two builds: "
            "stepgate gate --base-build DIR.");
}

TEST(Noise, OneReasonOfSeveralTimesIsOneFinding) {
  SampleCase sample;
  for (const char* metric : {"step_time_ns", "first_step_ns", "loader_samples_per_s"}) {
    MetricVerdict& open = sample.judged(metric, Status::inconclusive);
    open.reason = ReasonCode::too_few_clean_replicates;
    open.detail = "2 of the 3 clean replicates needed; 1 discarded";
    open.more_replicates = 1;
  }
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "step time, first step, loader supply: 2 of the 3 clean replicates needed; 1 discarded");
  EXPECT_EQ(findings[0].metric, "step_time_ns");
  EXPECT_THAT(findings[0].also, testing::ElementsAre("first_step_ns", "loader_samples_per_s"));
}

TEST(Noise, OneAdviceIsGivenOnce) {
  SampleCase sample;
  for (const char* metric : {"step_time_ns", "first_step_ns"}) {
    MetricVerdict& open = sample.judged(metric, Status::inconclusive);
    open.reason = ReasonCode::interval_too_wide;
    open.detail = metric;
  }
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].advice, "");
  EXPECT_THAT(findings[1].advice, HasSubstr("--base-build"));
}

TEST(Noise, AnOpenMetricBesideARedIsNoCause) {
  SampleCase sample;
  sample.judged("first_step_ns", Status::inconclusive);
  sample.red("step_time_ns");
  EXPECT_EQ(explain_noise(sample.input())[0].severity, Severity::note);
}

TEST(Noise, WhatAGreenLeftUndecidedIsAWarning) {
  SampleCase sample;
  MetricVerdict& first_step = sample.judged("first_step_ns", Status::inconclusive);
  first_step.gating = false;
  first_step.reason = ReasonCode::left_undecided;
  first_step.detail = "400 ms -> 410 ms, +2.5 % [-30 %, +50 %] over 4 pairs; left undecided";
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning) << "every report shows warnings, also of a green case";
  EXPECT_EQ(findings[0].message, "first step: " + first_step.detail);
  EXPECT_THAT(findings[0].advice, HasSubstr("metric_margins"));
}

TEST(Noise, WhatWasTooNoisyToJudgeIsAWarning) {
  SampleCase sample;
  MetricVerdict& first_step = sample.judged("first_step_ns", Status::not_judged);
  first_step.reason = ReasonCode::too_noisy;
  first_step.detail = "25 ms -> 40 ms, +60 % [-50 %, +200 %] over 4 pairs; not judged, too noisy here";
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "too-noisy");
  EXPECT_EQ(findings[0].severity, Severity::warning) << "every report shows warnings, also of a green case";
  EXPECT_EQ(findings[0].message, "first step: " + first_step.detail);
  EXPECT_THAT(findings[0].advice, HasSubstr("must_decide"));
}

TEST(Noise, AFinalLossAsksForSeedsAndNotForAQuieterMachine) {
  SampleCase sample;
  sample.judged("final_loss", Status::inconclusive).detail = "final loss +1.2 % [-3.0 %, +5.4 %] over 5 seeds";
  EXPECT_THAT(explain_noise(sample.input())[0].advice, HasSubstr("more and other seeds"));
}

TEST(Noise, CountsTaintedReplicates) {
  SampleCase sample;
  sample.current.tainted = 2;
  sample.current.clean_timed = 3;
  EXPECT_THAT(explain_noise(sample.input())[0].message,
              HasSubstr("2 replicates were discarded by outside interference"));
}

TEST(Noise, NamesTheSideThatWorkedWhileItWaited) {
  SampleCase sample;
  sample.current.set_aside = 2;
  sample.current.why_set_aside = "head used 98 % of a CPU while base had its window";
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "busy-while-waiting");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("head used 98 %"));
  EXPECT_THAT(findings[0].message, HasSubstr("2 replicates measured in alternating windows are kept"));
}

TEST(Noise, WithoutCleanPairsItSaysWhatToDo) {
  SampleCase sample;
  MetricVerdict& step = sample.judged("step_time_ns", Status::inconclusive);
  step.gating = true;
  step.reason = ReasonCode::too_few_clean_pairs;
  step.detail = "no clean pair; 10 discarded, the last one for steal_fraction 0.2 above 0.01";
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("steal_fraction 0.2"));
  EXPECT_THAT(findings[0].advice, HasSubstr("taint_limits"));
}

TEST(Noise, PassesOnWhyWarmUpNeverEnded) {
  SampleCase sample;
  sample.current.unsteady_reasons = {"step time still falls by 4 % per 10 steps"};
  sample.judged("step_time_ns", Status::inconclusive);
  const auto findings = explain_noise(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(name_of(findings[1].code), "unsteady");
  EXPECT_EQ(findings[1].severity, Severity::cause);
}

TEST(Noise, WithoutACleanBaseAllTimesHaveOneReason) {
  SampleCase sample;
  for (const char* metric : {"step_time_ns", "first_step_ns", "loader_samples_per_s"}) {
    sample.judged(metric, Status::inconclusive).reason = ReasonCode::too_few_clean_replicates;
  }
  JudgedComparison input = sample.input();
  input.judge_timed = true;
  auto& earlier = input.reference.emplace<EarlierMeasurement>(EarlierMeasurement{.values = input.current});
  earlier.values->tainted = 3;
  earlier.values->clean_timed = 0;
  const auto findings = explain_noise(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "nothing-clean");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("the first measurement has no clean timed process (3 discarded"));
  earlier.values->clean_timed = 2;
  EXPECT_EQ(name_of(explain_noise(input)[0].code), "spread");
}

TEST(Noise, ACaseThatCouldRunHereSaysSo) {
  SampleCase sample;
  sample.current.failures = {"exact replicate 0: no CUDA device"};
  sample.verdict.status = Status::failed;
  sample.verdict.detail = "exact replicate 0: no CUDA device; the case ran on this runner class before";
  for (const char* reason : {"no-longer-available", "outgrew-machine"}) {
    sample.verdict.reason = VerdictReason::named(reason);
    const auto findings = explain_noise(sample.input());
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(name_of(findings[0].code), reason);
    EXPECT_EQ(findings[0].message, sample.verdict.detail);
    EXPECT_THAT(findings[0].advice, HasSubstr("remove its baselines"));
  }
}

TEST(Noise, FailedReplicatesAreTheCauseOfAFailedCase) {
  SampleCase sample;
  sample.current.failures = {"killed by signal 11"};
  sample.verdict.status = Status::failed;
  EXPECT_EQ(explain_noise(sample.input())[0].severity, Severity::cause);
}

TEST(Noise, TimesOfTwoMeasurementsAreOneFinding) {
  SampleCase sample;
  sample.verdict.status = Status::inconclusive;
  for (const char* metric : {"step_time_ns", "first_step_ns"}) {
    sample.judged(metric, Status::inconclusive).reason = ReasonCode::no_pairs;
  }
  JudgedComparison input = sample.input();
  input.reference = EarlierMeasurement{.values = CaseValues{}};
  const auto findings = explain_noise(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "no-pairs");
  EXPECT_THAT(findings[0].message, HasSubstr("step time, first step: two measurements"));
  EXPECT_THAT(findings[0].advice, HasSubstr("stepgate ab"));
}

TEST(Noise, SaysNothingOnAQuietGreen) {
  SampleCase sample;
  EXPECT_THAT(explain_noise(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
