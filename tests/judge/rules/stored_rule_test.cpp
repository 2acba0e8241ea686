// Sessions of the example differ by 0.1 %, so s rests on the prior: S = 5, nu = 8, s = .02 sqrt(4/8) = 1.4 %,
// se = 1.55 %, M = 3: t(1 - .05/3, 8) = 2.57, red beyond 1 % + 2.57 se = +5.1 %; t(.95, 8) = 1.86, pass below +2.0 %.
// Relative to the reference case, which stands still, se is 1.55 sqrt(2) = 2.19 %: red beyond +6.9 %, pass below +0.8
// %.
#include "judge/rules/stored_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

MetricVerdict step_verdict(const ExampleCase& example) { return verdict_on(example.judge(), "step_time_ns"); }

MetricVerdict verdict_at(double factor, std::int64_t sessions = 5) {
  ExampleCase example = example_case(sessions);
  slow_down(example, factor);
  return step_verdict(example);
}

TEST(StoredRule, AnUnchangedCasePasses) {
  const MetricVerdict verdict = verdict_at(1);
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(name_of(verdict.reason), "within-limit");
}

TEST(StoredRule, StatesItsFigures) {
  const MetricVerdict verdict = verdict_at(1.04);
  EXPECT_NEAR(*verdict.baseline, 20e6, 0.001 * 20e6);
  EXPECT_NEAR(*verdict.current, 20.8e6, 1);
  EXPECT_NEAR(*verdict.change, 0.04, 0.001);
  ASSERT_TRUE(verdict.interval);
  EXPECT_NEAR(verdict.interval->lower, std::exp(0.0394 - 2.57 * 0.0155) - 1, 0.001);
  EXPECT_NEAR(verdict.interval->upper, std::exp(0.0394 + 1.86 * 0.0155) - 1, 0.001);
  EXPECT_EQ(verdict.limit, "+1.0 %");
  // lambda for a = .05/3, nu = 8 is 4.446 (SciPy 1.17.1); se relative to the reference case
  EXPECT_NEAR(*verdict.detectable_change, std::exp(0.00995 + 4.446 * 0.0155 * std::sqrt(2.0)) - 1, 0.001);
  EXPECT_THAT(verdict.detail, HasSubstr("20.0 ms -> 20.8 ms, +4.0 %"));
  EXPECT_THAT(verdict.detail, HasSubstr("against 5 sessions"));
}

TEST(StoredRule, FiveSessionsMayBeRedUnconfirmed) {
  const MetricVerdict verdict = verdict_at(1.08);
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "regressed-unconfirmed");
  EXPECT_TRUE(verdict.gating);
}

TEST(StoredRule, AMetricOfWiderMarginsHasAWiderPrior) {
  ExampleCase example = example_case();
  example.policy.metric_margins["step_time_ns"] = {.ignore = 0.01, .matter = 0.10};
  // s = 2.8 %, relative to the reference case 3.2 %: red beyond +9.9 %. With the prior of the suite it is +6.9 %.
  slow_down(example, 1.08);
  EXPECT_EQ(name_of(step_verdict(example).reason), "interval-too-wide");
  ExampleCase slower = example_case();
  slower.policy = example.policy;
  slow_down(slower, 1.12);
  EXPECT_EQ(step_verdict(slower).status, Status::regressed);
}

TEST(StoredRule, BetweenPassAndRedIsInconclusive) {
  const MetricVerdict verdict = verdict_at(1.045);
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "interval-too-wide");
}

TEST(StoredRule, FasterIsImproved) {
  EXPECT_EQ(verdict_at(1 / 1.08).status, Status::improved);
  EXPECT_EQ(name_of(verdict_at(1 / 1.08).reason), "faster");
}

TEST(StoredRule, SharesAlphaOverTheManifest) {
  ExampleCase example = example_case();
  slow_down(example, 1.08);
  example.hypotheses = 60;  // t(1 - .05/60, 8) = 4.64: red beyond +8.5 %, relative to the reference case +11.8 %
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
  slow_down(example, 1.1);
  EXPECT_EQ(step_verdict(example).status, Status::regressed);
}

TEST(StoredRule, MetricsMayHaveMarginsOfTheirOwn) {
  ExampleCase example = example_case();
  slow_down(example, 1.08);
  example.policy.metric_margins["first_step_ns"] = {.ignore = 0.1, .matter = 0.3};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict_on(verdict, "first_step_ns").status, Status::pass);
  EXPECT_EQ(verdict_on(verdict, "first_step_ns").limit, "+10.0 %");
  EXPECT_EQ(verdict_on(verdict, "step_time_ns").status, Status::regressed);
}

TEST(StoredRule, FewSessionsMayPass) {
  // S = 4: nu = 7, s = .0151, se = .0169, upper bound 1.89 se = +3.3 %; relative to the reference case +4.6 %.
  EXPECT_EQ(verdict_at(1, 4).status, Status::pass);
}

TEST(StoredRule, FewSessionsAreNeverImproved) {
  EXPECT_EQ(verdict_at(0.5, 4).status, Status::pass);
  EXPECT_EQ(name_of(verdict_at(0.5, 4).reason), "within-limit");
}

TEST(StoredRule, FewSessionsAreRedOnlyBeyondTheCoarseLimit) {
  const MetricVerdict within = verdict_at(1.24, 4);
  EXPECT_EQ(within.status, Status::inconclusive);
  EXPECT_EQ(name_of(within.reason), "few-sessions");
  EXPECT_EQ(within.more_replicates, 1);
  const MetricVerdict beyond = verdict_at(1.26, 4);
  EXPECT_EQ(beyond.status, Status::regressed);
  EXPECT_EQ(name_of(beyond.reason), "beyond-coarse-limit");
  EXPECT_EQ(beyond.limit, "+25.0 %");
  EXPECT_GT(*beyond.detectable_change, 0.25);
}

TEST(StoredRule, OneSessionIsRedBeyondTheCoarseLimit) {
  EXPECT_EQ(name_of(verdict_at(1.27, 1).reason), "beyond-coarse-limit");
  EXPECT_EQ(name_of(verdict_at(1.0, 1).reason), "interval-too-wide");
}

TEST(StoredRule, FewSessionsWithAWideSpreadAreNotRedBeyondTheCoarseLimit) {
  ExampleCase example = example_case(0);
  example.runner.sessions = {session(0, 0.8), session(1, 1.25)};  // s = .14: +30 % is not significant
  slow_down(example, 1.3);
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
}

TEST(StoredRule, SessionsBackToBackCountAsOne) {
  ExampleCase example = example_case();
  for (std::size_t i = 0; i < 5; ++i) example.runner.sessions[i].unix_s = static_cast<std::int64_t>(60 * i);
  slow_down(example, 1.1);
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
  EXPECT_THAT(step_verdict(example).detail, HasSubstr("against 1 session;"));
}

TEST(StoredRule, SaysHowManyMoreSessionsItTakes) {
  ExampleCase example = example_case(1);  // S = 1: nu = 4, s = .02, se = .0283, t(.95) = 2.13: upper +6.2 %
  const MetricVerdict verdict = step_verdict(example);
  ASSERT_EQ(name_of(verdict.reason), "interval-too-wide");
  // S = 2 at s = .02: se = .0245, t(.95, 5) = 2.015: +5.06 %, above 5; S = 3: se = .0231, t(.95, 6) = 1.943: +4.6 %.
  // In logs: .0494 against ln 1.05 = .0488, then .0449. Relative to the reference case sqrt(2) times that; S = 4:
  // .0453.
  EXPECT_EQ(verdict.more_replicates, 3);
}

TEST(StoredRule, NamesBothLimits) {
  EXPECT_THAT(verdict_at(1.0, 1).detail,
              HasSubstr("a pass needs both whole intervals within +5.0 %, a red a change beyond +25.0 %"));
  EXPECT_THAT(verdict_at(1.0).detail,
              HasSubstr("a pass needs both whole intervals within +5.0 %, a red all of both beyond +1.0 %"));
}

TEST(StoredRule, NamesNoNumberIfNoneSuffices) {
  const MetricVerdict verdict = verdict_at(1.035);
  // S = 20: s = .0084, se = .0086: pass below +3.4 %, red beyond +3.0 %; relative se = .0121: pass below +2.8 %, red
  // beyond +3.9 %.
  ASSERT_EQ(name_of(verdict.reason), "interval-too-wide");
  EXPECT_FALSE(verdict.more_replicates);
}

TEST(StoredRule, NoRedWhereTheReferenceCaseMoved) {
  for (double moved : {1.05, 1 / 1.05}) {
    ExampleCase example = example_case();
    slow_down(example, 1.08);
    scale(example, "reference_step_ns", moved);  // t(.975, 8) se = 2.31 * .0155 = 3.6 %
    EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
    EXPECT_EQ(name_of(step_verdict(example).reason), "reference-moved");
  }
}

TEST(StoredRule, AReferenceThatBarelyMovedIsStill) {
  ExampleCase example = example_case();
  slow_down(example, 1.1);
  scale(example, "reference_step_ns", 1.01);
  EXPECT_EQ(step_verdict(example).status, Status::regressed);
}

TEST(StoredRule, ASlowerMachineIsNotTakenForSlowerCode) {
  ExampleCase example = example_case();
  slow_down(example, 1.08);
  scale(example, "reference_step_ns", 1.03);  // within its own interval, and yet enough to explain the step time
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
  EXPECT_EQ(name_of(step_verdict(example).reason), "interval-too-wide");
  EXPECT_THAT(step_verdict(example).detail, HasSubstr("relative to the reference case +4.9 %"));
}

TEST(StoredRule, NoRedWithoutAReference) {
  ExampleCase lacking_now = example_case();
  slow_down(lacking_now, 1.08);
  lacking_now.values.timed.erase("reference_step_ns");
  EXPECT_EQ(name_of(step_verdict(lacking_now).reason), "no-reference");
  EXPECT_EQ(step_verdict(lacking_now).status, Status::inconclusive);

  ExampleCase lacking_then = example_case();
  slow_down(lacking_then, 1.08);
  for (Session& each : lacking_then.runner.sessions) each.timed.erase("reference_step_ns");
  EXPECT_EQ(name_of(step_verdict(lacking_then).reason), "no-reference");
}

/// The code is slower by `code`, the machine by `machine`; each below 1 is faster.
MetricVerdict verdict_on_machine(double code, double machine, std::int64_t sessions) {
  ExampleCase example = example_case(sessions);
  slow_down(example, code * machine);
  scale(example, "reference_step_ns", machine);
  return step_verdict(example);
}

TEST(StoredRule, AFasterMachineDoesNotHideSlowerCode) {
  const MetricVerdict verdict = verdict_on_machine(1.3, 1 / 1.3, 6);
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "reference-moved");
  EXPECT_THAT(verdict.detail, HasSubstr("the reference case moved by -23.1 %"));
  EXPECT_THAT(verdict.detail, HasSubstr("relative to the reference case +30"));
}

TEST(StoredRule, ASmallMoveOfTheMachineDoesNotHideAChangeThatMatters) {
  for (const std::int64_t sessions : {1, 3, 6, 20}) {
    for (const double machine : {0.92, 0.95, 0.98}) {
      EXPECT_EQ(verdict_on_machine(1.05, machine, sessions).status, Status::inconclusive) << machine << ' ' << sessions;
    }
  }
}

TEST(StoredRule, AFasterMachineAloneIsNoImprovement) {
  const MetricVerdict verdict = verdict_on_machine(1, 0.77, 6);
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "reference-moved");
  EXPECT_FALSE(verdict.more_replicates);
}

TEST(StoredRule, FasterCodeOnASlowerMachineIsNoMoreThanAPass) {
  ExampleCase example = example_case(20);
  slow_down(example, 0.93);
  scale(example, "reference_step_ns", 0.97);
  EXPECT_EQ(step_verdict(example).status, Status::pass);
  scale(example, "reference_step_ns", 1 / 0.97);
  EXPECT_EQ(step_verdict(example).status, Status::improved);
}

TEST(StoredRule, NoGreenWithoutAReference) {
  for (const double change : {1.0, 0.8}) {
    ExampleCase lacking_now = example_case();
    slow_down(lacking_now, change);
    lacking_now.values.timed.erase("reference_step_ns");
    EXPECT_EQ(step_verdict(lacking_now).status, Status::inconclusive);
    EXPECT_EQ(name_of(step_verdict(lacking_now).reason), "no-reference");

    ExampleCase lacking_then = example_case();
    slow_down(lacking_then, change);
    for (Session& each : lacking_then.runner.sessions) each.timed.erase("reference_step_ns");
    EXPECT_EQ(name_of(step_verdict(lacking_then).reason), "no-reference");
  }
}

TEST(StoredRule, TheReferenceIsTakenFromTheSameSessions) {
  ExampleCase example = example_case();
  slow_down(example, 1.08);
  scale(example, "reference_step_ns", 1.05);
  // Ten further sessions of a slower machine, which have no step time, would make a move of 5 % look usual.
  for (std::int64_t i = 5; i < 15; ++i) {
    Session without_step = session(i, 1);
    without_step.timed = {{"reference_step_ns", {5.25e6}}};
    example.runner.sessions.push_back(without_step);
  }
  EXPECT_EQ(name_of(step_verdict(example).reason), "reference-moved");
}

TEST(StoredRule, BeyondTheCoarseLimitNeedsAStillReferenceToo) {
  ExampleCase example = example_case(1);
  slow_down(example, 1.4);
  scale(example, "reference_step_ns", 1.2);
  EXPECT_EQ(name_of(step_verdict(example).reason), "reference-moved");
}

TEST(StoredRule, NotSteadyIsInconclusiveWithFigures) {
  ExampleCase example = example_case();
  slow_down(example, 1.2);
  example.values.unsteady_reasons = {"replicate 1: step time still falls by 3 % per 10 steps"};
  example.values.unsteady = example.values.clean_timed / 2 + 1;
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
  EXPECT_EQ(name_of(step_verdict(example).reason), "not-steady");
  EXPECT_THAT(step_verdict(example).detail, HasSubstr("replicate 1"));
  EXPECT_TRUE(step_verdict(example).interval);
}

TEST(StoredRule, OneUnsteadyProcessOfManyIsNoise) {
  ExampleCase example = example_case();
  slow_down(example, 1.2);
  example.values.unsteady_reasons = {"replicate 1: drifted during the timed steps"};
  example.values.unsteady = 1;
  ASSERT_GT(example.values.clean_timed, 2);
  EXPECT_EQ(step_verdict(example).status, Status::regressed);
}

TEST(StoredRule, TheCoarseLimitGrowsWithTheMetricsOwnMargins) {
  ExampleCase example = example_case(1);
  example.policy.metric_margins["step_time_ns"] = {0.1, 0.3};  // six times the default: coarse at 150 %
  slow_down(example, 1.8);
  EXPECT_EQ(step_verdict(example).status, Status::inconclusive);
  slow_down(example, 2.0);
  EXPECT_EQ(name_of(step_verdict(example).reason), "beyond-coarse-limit");
}

TEST(StoredRule, TooFewCleanReplicatesDecideNothing) {
  ExampleCase example = example_case();
  for (auto& [metric, values] : example.values.timed) values.resize(2);
  example.values.clean_timed = 2;
  example.values.tainted = 4;
  const MetricVerdict verdict = step_verdict(example);
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "too-few-clean-replicates");
  EXPECT_EQ(verdict.more_replicates, 1);
  EXPECT_EQ(verdict.detail, "2 of the 3 clean replicates needed; 4 discarded");
}

TEST(StoredRule, AllTaintedIsInconclusiveNotMissing) {
  ExampleCase example = example_case();
  example.values.timed.clear();
  example.values.clean_timed = 0;
  example.values.tainted = 5;
  EXPECT_EQ(name_of(step_verdict(example).reason), "too-few-clean-replicates");
  EXPECT_EQ(example.judge().status, Status::inconclusive);
}

TEST(StoredRule, ATimeOfZeroIsNoMeasurement) {
  ExampleCase example = example_case();
  scale(example, "step_time_ns", 0);
  EXPECT_EQ(step_verdict(example).status, Status::failed);
  EXPECT_EQ(name_of(step_verdict(example).reason), "not-positive");
}

}  // namespace
}  // namespace stepgate
