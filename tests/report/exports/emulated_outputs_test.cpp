// One result of an emulated GPU in every form that stepgate writes: each names the GPU, and none holds a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "core/judged/emulated_result.h"
#include "json/results/run_report_json.h"
#include "report/ci/ctest_report.h"
#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/exports/export_formats.h"
#include "report/exports/exported_run.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "report/text/markdown_text.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* emulated_name = "emulated H100";

/// As an older program wrote it: a time is among the values.
Outcome red_on_emulated_gpu() {
  Outcome outcome = regressed_exact();
  outcome.verdict.metrics.push_back(metric_verdict("pinned_allocation_ns", Status::not_judged, 4321, 7654321));
  outcome.verdict.metrics.back().gating = false;
  outcome.findings.front().sources = {{"CharLm::forward", "language/char_lm.cpp", 61}};
  outcome.fingerprint["gpu"] = "emulated H100, model 1";
  return outcome;
}

RunReport emulated_report() {
  Outcome green = passing_exact();
  green.fingerprint["gpu"] = "emulated H100, model 1";
  RunReport report = report_of({red_on_emulated_gpu(), green});
  report.runner_class = "emulated-h100";
  return report;
}

struct OutputRow {
  const char* name;
  std::string (*render)(const RunReport& report);
  /// Where the report has a word of its own for what a green proves.
  bool links_page = false;
};

const std::vector<OutputRow>& output_rows() {
  static const std::vector<OutputRow> rows = {
      {"console", [](const RunReport& report) { return render_console(report, {.width = 100}); }, true},
      {"console, verbose",
       [](const RunReport& report) { return render_console(report, {.width = 100, .verbose = true}); }, true},
      {"Markdown", [](const RunReport& report) { return render_markdown(report, {}); }, true},
      {"HTML", [](const RunReport& report) { return render_page(gate_page({.report = report})); }, true},
      {"GitHub annotations", [](const RunReport& report) { return render_github(report, {}); }},
      {"JUnit", [](const RunReport& report) { return render_junit(report, {}); }},
      {"CTest measurements",
       [](const RunReport& report) { return render_ctest_measurements(report.outcomes.front()); }},
      {"verdict.json", [](const RunReport& report) { return to_text(report); }},
  };
  return rows;
}

TEST(EmulatedOutputs, EachReportNamesTheGpu) {
  const RunReport report = emulated_report();
  for (const OutputRow& row : output_rows()) EXPECT_THAT(row.render(report), HasSubstr(emulated_name)) << row.name;
}

TEST(EmulatedOutputs, EachReportForPeopleLeadsToWhatAGreenProves) {
  const RunReport report = emulated_report();
  for (const OutputRow& row : output_rows()) {
    if (!row.links_page) continue;
    const std::string text = row.render(report);
    EXPECT_TRUE(text.find(emulated_green_page) != std::string::npos ||
                text.find(markdown_text(emulated_green_page)) != std::string::npos)
        << row.name;
  }
}

TEST(EmulatedOutputs, ACaseThatFailedKeepsItsNameOfATest) {
  RunReport report = emulated_report();
  const std::string name = "name=\"" + report.outcomes.front().verdict.case_name + " (emulated H100)\"";
  EXPECT_THAT(render_junit(report, {}), HasSubstr(name));
  for (Outcome& outcome : report.outcomes) outcome.fingerprint.clear();
  EXPECT_THAT(render_junit(report, {}), HasSubstr(name));
}

TEST(EmulatedOutputs, ARealGpuIsNotCalledEmulated) {
  RunReport report = emulated_report();
  report.runner_class = "h100-16c";
  for (Outcome& outcome : report.outcomes) outcome.fingerprint["gpu"] = "NVIDIA H100 80GB HBM3";
  for (const OutputRow& row : output_rows()) EXPECT_THAT(row.render(report), Not(HasSubstr("emulated"))) << row.name;
  for (const ExportFormat& format : export_formats()) {
    EXPECT_THAT(format.render(report), Not(HasSubstr("emulated"))) << format.name;
  }
}

/// A format that holds times alone has nothing to say of an emulated GPU, and one that holds what a larger value makes
/// better has no value of it.
enum class EmulatedExport { named, refused, empty };

struct ExportRow {
  std::string_view format;
  EmulatedExport expected;
};

constexpr ExportRow export_rows[] = {
    {"openmetrics", EmulatedExport::named},
    {"google-benchmark", EmulatedExport::refused},
    {"junit", EmulatedExport::named},
    {"pyperf", EmulatedExport::refused},
    {"csv", EmulatedExport::named},
    {"pytorch", EmulatedExport::named},
    {"sarif", EmulatedExport::named},
    {"bencher", EmulatedExport::named},
    {"github-action-smaller", EmulatedExport::named},
    {"github-action-bigger", EmulatedExport::empty},
};

TEST(EmulatedOutputs, EachExportHasARowHere) {
  ASSERT_EQ(std::size(export_rows), export_formats().size());
  for (std::size_t i = 0; i < export_formats().size(); ++i) EXPECT_EQ(export_rows[i].format, export_formats()[i].name);
}

TEST(EmulatedOutputs, EachExportNamesTheGpuOrRefuses) {
  const RunReport report = emulated_report();
  for (std::size_t i = 0; i < export_formats().size(); ++i) {
    const ExportFormat& format = export_formats()[i];
    if (export_rows[i].expected == EmulatedExport::refused) {
      try {
        format.render(report);
        ADD_FAILURE() << format.name << " wrote a file of times";
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("emulated H100 has no times")) << format.name;
      }
      continue;
    }
    const std::string text = format.render(report);
    if (export_rows[i].expected == EmulatedExport::empty) {
      EXPECT_THAT(text, Not(HasSubstr("value"))) << format.name;
    } else {
      EXPECT_THAT(text, HasSubstr(emulated_name)) << format.name;
    }
  }
}

TEST(EmulatedOutputs, NoExportedSeriesIsATime) {
  const ExportedRun run = exported_run(emulated_report());
  ASSERT_FALSE(run.series.empty());
  for (const ExportedSeries& series : run.series) {
    EXPECT_FALSE(depends_on_time(series.unit)) << series.metric;
    EXPECT_THAT(series.case_name, testing::EndsWith("(emulated H100)"));
  }
  for (const char* format : {"openmetrics", "csv", "pytorch", "bencher", "github-action-smaller"}) {
    const std::string text = export_request(std::string(format) + "=file").format->render(emulated_report());
    EXPECT_THAT(text, Not(HasSubstr("pinned_allocation"))) << format;
  }
}

}  // namespace
}  // namespace stepgate
