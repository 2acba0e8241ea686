// Runs for other tools: what each format says of the same report, and what is refused.
#include "report/exports/export_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "json/exports/series_documents.h"
#include "report/exports/exported_run.h"
#include "report/exports/openmetrics_text.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

RunReport exported_report(const std::string& name) {
  Outcome outcome;
  outcome.kind = {.half = TierChoice::timed};
  outcome.verdict = {.case_name = name, .status = Status::regressed, .reason = {}, .detail = {}, .metrics = {}};
  outcome.verdict.metrics = {metric_verdict("step_time_ns", Status::regressed, 1000, 1500),
                             metric_verdict("peak_allocated_bytes", Status::pass, 1048576, 1048576),
                             metric_verdict("samples_per_s", Status::pass, 10, 10)};
  outcome.backgrounds = {{.metric = "step_time_ns", .sessions = {}, .now = {1400, 1500, 1600}, .baseline_path = {}}};
  outcome.findings = {{AnyFindingCode::named("host-sync"),
                       Severity::cause,
                       "forward: +1 sync",
                       "",
                       "step_time_ns",
                       "forward",
                       {},
                       {{"outside", "/usr/x.h", 3},
                        {"above", "../y.h", 4},
                        {"unknown", "src/model.cpp", 0},
                        {"f", "src/my model.cpp", 118}}},
                      {FindingCode::boundary_slower, Severity::cause, "without a line", "", "step_time_ns"}};
  RunReport report;
  report.utc = "2026-11-22T05:34:50Z";
  report.commit = "4be1c0f";
  report.runner_class = "ci-small";
  report.stepgate_version = "0.1.0";
  report.outcomes = {outcome};
  return report;
}

std::string exported(const std::string& format, const RunReport& report) {
  return export_request(format + "=file").format->render(report);
}

TEST(ExportFormats, OneProcessIsOneRepetition) {
  const RunReport report = exported_report("a/b");
  const std::string benchmark = exported("google-benchmark", report);
  EXPECT_THAT(benchmark, HasSubstr("\"repetitions\": 3"));
  for (const char* text : {"\"real_time\": 1600", "\"repetition_index\": 2", "\"caches\": []"})
    EXPECT_THAT(benchmark, HasSubstr(text));
  EXPECT_THAT(benchmark, Not(HasSubstr("peak_allocated_bytes")));
  EXPECT_THAT(exported("pyperf", report), HasSubstr("1.6"));
}

TEST(ExportFormats, PyTorchGetsBytesInMebibytesAndTheRunner) {
  const std::string pytorch = exported("pytorch", exported_report("a/b"));
  for (const char* text : {"\"MiB\"", "\"benchmark_values\": [1.0]", "\"name\": \"ci-small\""})
    EXPECT_THAT(pytorch, HasSubstr(text));
}

TEST(ExportFormats, BencherGetsBoundsOfSeveralProcessesOnly) {
  const std::string bencher = exported("bencher", exported_report("a/b"));
  EXPECT_THAT(bencher, HasSubstr("\"lower_value\": 1400"));
  EXPECT_THAT(bencher, HasSubstr("\"upper_value\": 1600"));
  EXPECT_EQ(bencher.find("lower_value"), bencher.rfind("lower_value"));  // of the step time
}

TEST(ExportFormats, CsvHoldsTheValueOfTheRunWithItsTimeAndCommit) {
  EXPECT_THAT(exported("csv", exported_report("a/b")),
              HasSubstr("\n\"2026-11-22T05:34:50Z\",\"4be1c0f\",1500,1048576,10\n"));
}

TEST(ExportFormats, CsvHasNoFormulas) {
  for (const std::string first : {"=", "+", "-", "@"}) {
    EXPECT_THAT(exported("csv", exported_report(first + "cmd|'/C calc'!A0")),
                HasSubstr(",\"'" + first + "cmd|'/C calc'!A0:step_time_ns\""));
  }
  RunReport report = exported_report("a/b");
  report.commit = "=1+1";
  EXPECT_THAT(exported("csv", report), HasSubstr(",\"'=1+1\","));
}

TEST(ExportFormats, OpenMetricsNamesTypeUnitAndMember) {
  ExportedRun run;
  run.runner_class = "ci-small";
  run.series = {{.case_name = "a/b", .metric = "span_ns", .unit = MetricUnit::ns, .value = 2e9, .values = {2e9}},
                {.case_name = "a/b", .metric = "loss[encoder]", .unit = {}, .value = 0.5, .values = {0.5}}};
  EXPECT_EQ(openmetrics_text(run),
            "# TYPE stepgate_loss gauge\n"
            "stepgate_loss{case=\"a/b\",member=\"encoder\",runner_class=\"ci-small\"} 0.5\n"
            "# TYPE stepgate_span_seconds gauge\n"
            "# UNIT stepgate_span_seconds seconds\n"
            "stepgate_span_seconds{case=\"a/b\",runner_class=\"ci-small\"} 2\n"
            "# EOF\n");
}

TEST(ExportFormats, AFormatOfTimesRefusesARunWithoutTimes) {
  ExportedRun exact;
  exact.series = {{.case_name = "a/b", .metric = "operators_per_step", .unit = MetricUnit::count, .values = {7}}};
  EXPECT_THROW(google_benchmark_text(exact), Error);
  EXPECT_THROW(pyperf_text(exact), Error);
}

TEST(ExportFormats, PyperfLeavesOutTimesOfZero) {
  ExportedRun run;
  run.series = {{.case_name = "a/b", .metric = "h2d_ns", .unit = MetricUnit::ns, .values = {0}}};
  EXPECT_THROW(pyperf_text(run), Error);
  run.series.push_back({.case_name = "a/b", .metric = "step_time_ns", .unit = MetricUnit::ns, .values = {1}});
  EXPECT_THAT(pyperf_text(run), Not(HasSubstr("h2d_ns")));
}

TEST(ExportFormats, ProcessesAreThoseOfTheSameBaselineFile) {
  RunReport report = exported_report("a/b");
  const MetricVerdict verdict = report.outcomes.front().verdict.metrics.front();
  report.outcomes.front().backgrounds.front().scope = verdict.scope == Scope::runner ? Scope::portable : Scope::runner;
  EXPECT_THAT(exported_run(report).series.front().values, testing::ElementsAre(1500));
}

TEST(ExportFormats, ADirectionAFile) {
  const RunReport report = exported_report("a/b");
  EXPECT_THAT(exported("github-action-bigger", report), HasSubstr("samples_per_s"));
  EXPECT_THAT(exported("github-action-smaller", report), HasSubstr("\"unit\": \"ns\""));
  EXPECT_THAT(exported("github-action-bigger", report), Not(HasSubstr("step_time_ns")));
  EXPECT_THAT(exported("github-action-smaller", report), Not(HasSubstr("samples_per_s")));
}

TEST(ExportFormats, NamesWithQuotesCommasAndLineBreaksAreEscaped) {
  const RunReport report = exported_report("a/\"b\\,\nc");
  EXPECT_THAT(exported("openmetrics", report),
              HasSubstr("stepgate_step_time_seconds{case=\"a/\\\"b\\\\,\\nc\",runner_class=\"ci-small\"} 1.5"));
  EXPECT_THAT(exported("openmetrics", report), testing::EndsWith("\n# EOF\n"));
  EXPECT_THAT(exported("csv", report), HasSubstr(",\"a/\"\"b\\, c:step_time_ns\","));
  for (const char* form : {"pyperf", "google-benchmark"})
    EXPECT_THAT(exported(form, report), HasSubstr("\"name\": \"a/\\\"b\\\\, c:step_time_ns\"")) << form;
}

TEST(ExportFormats, ASourceLineIsAResultWithoutNumbersInItsFingerprint) {
  RunReport report = exported_report("a/b");
  const std::string red = exported("sarif", report);
  EXPECT_THAT(red, HasSubstr("\"ruleId\": \"stepgate/host-sync\""));
  EXPECT_THAT(red, HasSubstr("src/my%20model.cpp"));
  EXPECT_THAT(red, HasSubstr("\"startLine\": 118"));
  EXPECT_THAT(red, HasSubstr("\"a/b|step_time_ns|host-sync\""));
  EXPECT_THAT(red, HasSubstr("\"id\": \"stepgate/host-sync\""));
  EXPECT_THAT(red, HasSubstr("\"version\": \"2.1.0\""));
  EXPECT_THAT(red, HasSubstr("\"level\": \"error\""));
  EXPECT_THAT(red, HasSubstr("\"stepgate/ci-small/\""));
  EXPECT_THAT(red, Not(HasSubstr("boundary-slower")));
  EXPECT_THAT(red, Not(HasSubstr("/usr/x.h")));
  EXPECT_THAT(red, Not(HasSubstr("y.h")));
  report.outcomes.front().verdict.status = Status::inconclusive;
  EXPECT_THAT(exported("sarif", report), Not(HasSubstr("\"error\"")));
}

TEST(ExportFormats, OnlyACauseOfARedCaseIsAnError) {
  RunReport report = exported_report("a/b");
  Finding& finding = report.outcomes.front().findings.front();
  finding.severity = Severity::warning;
  EXPECT_THAT(exported("sarif", report), HasSubstr("\"level\": \"warning\""));
  finding.severity = Severity::note;
  EXPECT_THAT(exported("sarif", report), HasSubstr("\"level\": \"note\""));
}

TEST(ExportFormats, ValuesThatReadersWouldDropAreRefused) {
  for (const double value : {std::nan(""), HUGE_VAL}) {
    RunReport report = exported_report("a/b");
    report.outcomes.front().backgrounds.front().now.back() = value;
    EXPECT_THROW(exported_run(report), Error);
    report = exported_report("a/b");
    report.outcomes.front().verdict.metrics.front().current = value;  // its processes are finite
    EXPECT_THROW(exported_run(report), Error);
  }
  RunReport twice = exported_report("a/b");
  twice.outcomes.push_back(twice.outcomes.front());
  EXPECT_THROW(exported_run(twice), Error);
}

TEST(ExportFormats, ARequestNeedsAKnownFormatAndAFile) {
  for (const char* text : {"sarif", "sarif=", "xml=file", "=file", ""})
    EXPECT_THROW(export_request(text), Error) << text;
  EXPECT_EQ(export_request("sarif=a=b").file, "a=b");
}

}  // namespace
}  // namespace stepgate
