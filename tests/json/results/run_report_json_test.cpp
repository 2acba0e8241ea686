#include "json/results/run_report_json.h"

#include <limits>

#include "json/expect_error.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

TEST(RunReportJson, KeepsEveryFieldOfTheReport) {
  const RunReport before = sample_run_report();
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.utc, before.utc);
  EXPECT_EQ(after.commit, before.commit);
  EXPECT_EQ(after.runner_class, before.runner_class);
  EXPECT_EQ(after.stepgate_version, before.stepgate_version);
  EXPECT_EQ(after.expected_cases, before.expected_cases);
  EXPECT_EQ(after.missing_cases, before.missing_cases);
  EXPECT_EQ(after.outcomes.size(), 2u);
}

TEST(RunReportJson, KeepsEveryFieldOfAnOutcome) {
  const Outcome before = sample_run_report().outcomes[0];
  const Outcome after = run_report_from_text(to_text(sample_run_report()), "verdict.json").outcomes[0];
  EXPECT_EQ(after.kind, before.kind);
  EXPECT_EQ(after.verdict.case_name, before.verdict.case_name);
  EXPECT_EQ(after.verdict.status, Status::regressed);
  EXPECT_EQ(after.verdict.reason, before.verdict.reason);
  EXPECT_EQ(after.verdict.detail, before.verdict.detail);
  EXPECT_EQ(after.reproduce_command, before.reproduce_command);
  EXPECT_EQ(after.accept_command, before.accept_command);
  EXPECT_EQ(after.pending_path, before.pending_path);
  EXPECT_EQ(after.baseline_path, before.baseline_path);
  EXPECT_EQ(after.baseline_summary, before.baseline_summary);
  EXPECT_EQ(after.fingerprint, before.fingerprint);
  EXPECT_EQ(after.seconds, 61.25);
  ASSERT_EQ(after.failures.size(), 1u);
  EXPECT_EQ(after.failures[0].kind, FailureKind::crashed);
  ASSERT_EQ(after.findings.size(), 1u);
  EXPECT_EQ(name_of(after.findings[0].code), "boundary-slower");
  EXPECT_EQ(after.findings[0].severity, Severity::cause);
  EXPECT_EQ(after.findings[0].message, before.findings[0].message);
  EXPECT_EQ(after.findings[0].advice, before.findings[0].advice);
  EXPECT_EQ(after.findings[0].metric, "step_time_ns");
  EXPECT_EQ(after.findings[0].boundary, "backward");
  EXPECT_EQ(after.findings[0].also, before.findings[0].also);
}

TEST(RunReportJson, KeepsFloorsBudgetsAndTargets) {
  const RunReport after = run_report_from_text(to_text(sample_run_report()), "verdict.json");
  const std::vector<LimitVerdict>& limits = after.outcomes[0].verdict.limits;
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0].limit.kind, AbsoluteLimitKind::floor);
  EXPECT_EQ(limits[0].limit.metric, "samples_per_s");
  EXPECT_EQ(limits[0].limit.value, 4000);
  EXPECT_EQ(limits[0].outcome, LimitOutcome::undecided);
  EXPECT_EQ(limits[0].current, 3990);
  ASSERT_TRUE(limits[0].range);
  EXPECT_EQ(limits[0].range->lower, 3900);
  EXPECT_EQ(limits[0].range->upper, 4080);
  EXPECT_EQ(limits[0].processes, 2);
  EXPECT_EQ(limits[0].why, "it takes 3 clean processes to tell");
  EXPECT_FALSE(limits[0].newly_met);
  EXPECT_TRUE(limits[1].newly_met);
  EXPECT_FALSE(limits[1].current || limits[1].range);
  EXPECT_TRUE(after.outcomes[1].verdict.limits.empty());
}

TEST(RunReportJson, KeepsALimitThatIsNotJudged) {
  RunReport before = sample_run_report();
  before.outcomes[0].verdict.limits[0].outcome = LimitOutcome::not_judged;
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.outcomes[0].verdict.limits[0].outcome, LimitOutcome::not_judged);
}

TEST(RunReportJson, KeepsTheNameOfAReasonThatItDoesNotKnow) {
  RunReport before = sample_run_report();
  CaseVerdict& verdict = before.outcomes[0].verdict;
  verdict.reason = VerdictReason::named("of-a-later-version");
  verdict.metrics[0].reason = VerdictReason();
  const std::string text = to_text(before);
  const RunReport after = run_report_from_text(text, "verdict.json");
  EXPECT_EQ(name_of(after.outcomes[0].verdict.reason), "of-a-later-version");
  EXPECT_TRUE(after.outcomes[0].verdict.metrics[0].reason.empty());
  EXPECT_EQ(to_text(after), text);
}

TEST(RunReportJson, KeepsWhatAVerdictRestsOnAndItsSuite) {
  RunReport before = sample_run_report();
  before.suite = "17";
  before.outcomes[0].inputs = {{"program", "cbf29ce484222325"}, {"base_path", "/base/train"}};
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.suite, "17");
  EXPECT_EQ(after.outcomes[0].inputs, before.outcomes[0].inputs);
  const RunReport older = run_report_from_text(to_text(sample_run_report()), "verdict.json");
  EXPECT_EQ(older.suite, "");
  EXPECT_TRUE(older.outcomes[0].inputs.empty());
}

TEST(RunReportJson, KeepsWhichPendingFilesItLeft) {
  RunReport before = sample_run_report();
  before.outcomes[0].pending_digests = {"cbf29ce484222325", "af63bd4c8601b7df"};
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.outcomes[0].pending_digests, before.outcomes[0].pending_digests);
  EXPECT_TRUE(after.outcomes[1].pending_digests.empty());
}

TEST(RunReportJson, KeepsTheLinesOfAFinding) {
  RunReport before = sample_run_report();
  before.outcomes[0].findings[0].sources = {{"CharLm::forward", "perf/char_lm.cpp", 61}, {"CharLm::loss"}};
  const Outcome after = run_report_from_text(to_text(before), "verdict.json").outcomes[0];
  EXPECT_EQ(after.findings[0].sources, before.outcomes[0].findings[0].sources);
}

TEST(RunReportJson, AnOlderFindingNamesNoBoundaryAndNoFurtherMetric) {
  const std::string text = to_text(sample_run_report());
  const auto first = text.find("\"also\"");
  ASSERT_NE(first, std::string::npos);
  const std::string older = replaced(replaced(text, "\"also\"", "\"unknown\""), "\"boundary\"", "\"another\"");
  const Outcome after = run_report_from_text(older, "verdict.json").outcomes[0];
  EXPECT_EQ(after.findings[0].boundary, "");
  EXPECT_TRUE(after.findings[0].also.empty());
}

TEST(RunReportJson, ACodeOfALaterVersionIsKept) {
  const std::string text =
      replaced(to_text(sample_run_report()), "\"code\": \"boundary-slower\"", "\"code\": \"of-a-later-version\"");
  const RunReport after = run_report_from_text(text, "verdict.json");
  EXPECT_EQ(name_of(after.outcomes[0].findings[0].code), "of-a-later-version");
  EXPECT_EQ(to_text(after), text);
}

TEST(RunReportJson, OnlyAMetricIsNotJudged) {
  EXPECT_EQ(run_report_from_text(to_text(sample_run_report()), "verdict.json").outcomes[0].verdict.metrics[1].status,
            Status::not_judged);
  RunReport report = sample_run_report();
  report.outcomes[1].verdict.status = Status::not_judged;
  expect_error([&] { run_report_from_text(to_text(report), "verdict.json"); }, ErrorKind::measure,
               {"verdict.json: outcomes[1].status: expected one of skipped, pass"});
}

TEST(RunReportJson, KeepsEveryNumberOfAMetricVerdict) {
  const MetricVerdict after =
      run_report_from_text(to_text(sample_run_report()), "verdict.json").outcomes[0].verdict.metrics[0];
  EXPECT_EQ(after.metric, "step_time_ns");
  EXPECT_EQ(after.status, Status::regressed);
  EXPECT_EQ(name_of(after.reason), "above-limit");
  EXPECT_EQ(after.detail, "14.5 ms -> 16.1 ms");
  EXPECT_TRUE(after.gating);
  EXPECT_EQ(after.scope, Scope::runner);
  EXPECT_EQ(after.baseline, 14512000);
  EXPECT_EQ(after.current, 16123456.789);
  EXPECT_EQ(after.change, 0.111);
  ASSERT_TRUE(after.interval);
  EXPECT_EQ(after.interval->lower, 0.09);
  EXPECT_EQ(after.interval->upper, 0.13);
  EXPECT_EQ(after.limit, "+1.0 %");
  EXPECT_EQ(after.detectable_change, 0.027);
  EXPECT_EQ(after.more_replicates, 3);
}

TEST(RunReportJson, KeepsAbsentNumbersAbsent) {
  const MetricVerdict after =
      run_report_from_text(to_text(sample_run_report()), "verdict.json").outcomes[0].verdict.metrics[1];
  EXPECT_FALSE(after.baseline);
  EXPECT_FALSE(after.current);
  EXPECT_FALSE(after.change);
  EXPECT_FALSE(after.interval);
  EXPECT_FALSE(after.detectable_change);
  EXPECT_FALSE(after.more_replicates);
  EXPECT_FALSE(after.gating);
  EXPECT_EQ(after.scope, Scope::portable);
}

TEST(RunReportJson, KeepsEarlierValuesAndTheLineOfTheBaseline) {
  RunReport before = sample_run_report();
  before.outcomes[0].baseline_commit = "9f2c1";
  before.outcomes[0].baseline_age_s = 1036800;
  before.outcomes[0].backgrounds = {{.metric = "step_time_ns",
                                     .scope = Scope::runner,
                                     .sessions = {14.4e6, 14.512e6},
                                     .now = {16.1e6, 16.2e6},
                                     .baseline_path = "baselines/h200-16c/language/char_lm/tiny.json",
                                     .baseline_line = 57}};
  const RunReport report = run_report_from_text(to_text(before), "verdict.json");
  const Outcome& after = report.outcomes[0];
  EXPECT_EQ(after.baseline_commit, "9f2c1");
  EXPECT_EQ(after.baseline_age_s, 1036800);
  ASSERT_EQ(after.backgrounds.size(), 1u);
  EXPECT_EQ(after.backgrounds[0].metric, "step_time_ns");
  EXPECT_EQ(after.backgrounds[0].scope, Scope::runner);
  EXPECT_EQ(after.backgrounds[0].sessions, (std::vector{14.4e6, 14.512e6}));
  EXPECT_EQ(after.backgrounds[0].now, (std::vector{16.1e6, 16.2e6}));
  EXPECT_EQ(after.backgrounds[0].baseline_path, "baselines/h200-16c/language/char_lm/tiny.json");
  EXPECT_EQ(after.backgrounds[0].baseline_line, 57);
  EXPECT_FALSE(report.outcomes[1].baseline_age_s);
  EXPECT_TRUE(report.outcomes[1].backgrounds.empty());
}

TEST(RunReportJson, KeepsHowTheTimesAreSpread) {
  RunReport before = sample_run_report();
  before.outcomes[0].distributions = {
      {.what = "step",
       .unit = DistributionUnit::step,
       .n = 180,
       .processes = 3,
       .mean_ns = 14.5e6,
       .median_ns = 14.4e6,
       .sd_ns = 2.5e5,
       .p95_ns = 15.5e6,
       .p99_ns = 16.5e6,
       .min_ns = 14.1e6,
       .max_ns = 17.5e6},
      {.what = "first step", .unit = DistributionUnit::process, .n = 1, .processes = 1}};
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.outcomes[0].distributions, before.outcomes[0].distributions);
  EXPECT_TRUE(after.outcomes[1].distributions.empty());
}

TEST(RunReportJson, KeepsTheLengthsOfTheBatches) {
  RunReport before = sample_run_report();
  before.outcomes[0].batch_lengths = BatchLengths{.bins = {{32, 47, 3}, {64, 64, 5}}, .padding_ratio = 0.125};
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.outcomes[0].batch_lengths, before.outcomes[0].batch_lengths);
  EXPECT_FALSE(after.outcomes[1].batch_lengths);
}

TEST(RunReportJson, KeepsUpToWhichStepLossesWereJudged) {
  RunReport before = sample_run_report();
  before.outcomes[0].losses = JudgedLosses{.last_step = 89, .seen = 102, .steps = 104, .compared = 21};
  const RunReport after = run_report_from_text(to_text(before), "verdict.json");
  EXPECT_EQ(after.outcomes[0].losses, before.outcomes[0].losses);
  EXPECT_FALSE(after.outcomes[1].losses);
}

TEST(RunReportJson, SaysWhatAScriptNeedsFirst) {
  EXPECT_THAT(to_text(sample_run_report()), ::testing::HasSubstr("  \"exit_status\": 1,\n"
                                                                 "  \"status\": \"regressed\",\n"
                                                                 "  \"outcomes_by_status\": {\n"
                                                                 "    \"regressed\": 1,\n"
                                                                 "    \"no-baseline\": 1\n"
                                                                 "  },\n"));
}

TEST(RunReportJson, StatesUnitTierAndDirectionOfAMetric) {
  EXPECT_THAT(to_text(sample_run_report()),
              ::testing::HasSubstr("\"metric\": \"step_time_ns\",\n          \"unit\": \"ns\",\n          \"tier\": "
                                   "\"timed\",\n          \"direction\": \"lower_is_better\""));
}

TEST(RunReportJson, StatesThatACaseBesideOneThatPassedWasSkipped) {
  RunReport report = sample_run_report();
  report.outcomes.resize(2);
  report.outcomes[0].verdict.status = Status::skipped;
  report.outcomes[1].verdict.status = Status::pass;
  const std::string text = to_text(report);
  EXPECT_THAT(text, ::testing::HasSubstr("\"exit_status\": 77,\n  \"status\": \"skipped\""));
  EXPECT_EQ(exit_status(run_report_from_text(text, "verdict.json")), 77);
}

TEST(RunReportJson, RefusesAnExitStatusThatTheOutcomesDoNotAddUpTo) {
  const std::string text = replaced(to_text(sample_run_report()), "\"exit_status\": 1", "\"exit_status\": 0");
  expect_error([&] { run_report_from_text(text, "verdict.json"); }, ErrorKind::measure,
               {"verdict.json: exit_status: expected 1", "found 0"});
}

TEST(RunReportJson, RefusesANonFiniteNumber) {
  RunReport report = sample_run_report();
  report.outcomes[0].verdict.metrics[0].interval->upper = std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(report); }, ErrorKind::measure, {"outcomes[0].metrics[0].interval.upper"});
}

TEST(RunReportJson, NamesAGroupThatItDoesNotKnow) {
  const std::string text = replaced(to_text(sample_run_report()), "\"group\": \"timed\"", "\"group\": \"both\"");
  expect_error([&] { run_report_from_text(text, "verdict.json"); }, ErrorKind::measure,
               {"verdict.json: outcomes[1].group: expected one of exact, timed, all, ab", "found \"both\""});
}

TEST(RunReportJson, PairsDecidedWhereTheVerdictRestsOnABaseBuild) {
  RunReport report = sample_run_report();
  const auto decided = [&] { return run_report_from_text(to_text(report), "verdict.json").outcomes[0].pairs_decided; };
  EXPECT_FALSE(decided());
  report.outcomes[0].kind = result_of_pairs;
  EXPECT_TRUE(decided());
  report.outcomes[0].kind = {.half = TierChoice::timed};
  report.outcomes[0].inputs = {{"program", "cbf29ce484222325"}, {"base_path", "/base/train"}};
  EXPECT_TRUE(decided()) << "a gate confirmed a red";
}

TEST(RunReportJson, NamesAStatusThatItDoesNotKnow) {
  const std::string text =
      replaced(to_text(sample_run_report()), "\"status\": \"no-baseline\"", "\"status\": \"nobaseline\"");
  expect_error([&] { run_report_from_text(text, "verdict.json"); }, ErrorKind::measure,
               {"verdict.json: outcomes[1].status: expected one of skipped, pass", "found \"nobaseline\""});
}

}  // namespace
}  // namespace stepgate
