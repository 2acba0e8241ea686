#include "report/ci/junit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <pugixml.hpp>

#include "support/golden.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  const auto result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description() << "\n" << text;
  return document;
}

TEST(JunitReportGolden, EveryStatus) { expect_golden("report/junit.xml", render_junit(every_status(), {})); }

TEST(JunitReportGolden, HostileNames) {
  expect_golden("report/junit_hostile.xml", render_junit(report_of({hostile_case()}), {}));
}

TEST(JunitReport, GoldensAreWellFormedForAStrictParser) {
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0) GTEST_SKIP() << "xmllint is not installed";
  for (const char* name : {"report/junit.xml", "report/junit_hostile.xml"}) {
    const std::string command = "xmllint --noout '" + golden_path(name).string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
}

TEST(JunitReport, CountsAddUp) {
  const auto document = parsed(render_junit(every_status(), {}));
  const auto root = document.child("testsuites");
  EXPECT_EQ(root.attribute("tests").as_int(), 10);
  EXPECT_EQ(root.attribute("failures").as_int(), 2);
  EXPECT_EQ(root.attribute("errors").as_int(), 3);   // failed, inconclusive, never measured
  EXPECT_EQ(root.attribute("skipped").as_int(), 2);  // no baseline, skipped
  int tests = 0;
  for (const auto& suite : root.children("testsuite")) {
    int cases = 0;
    for ([[maybe_unused]] const auto& testcase : suite.children("testcase")) ++cases;
    EXPECT_EQ(suite.attribute("tests").as_int(), cases) << suite.attribute("name").value();
    tests += cases;
  }
  EXPECT_EQ(tests, 10);
}

TEST(JunitReport, InconclusiveIsAnErrorUnlessToldOtherwise) {
  const RunReport report = report_of({inconclusive_case()});
  EXPECT_THAT(render_junit(report, {}), HasSubstr("<error message=\"inconclusive"));
  const std::string lenient = render_junit(report, {.inconclusive_is_error = false});
  EXPECT_THAT(lenient, Not(HasSubstr("<error")));
  EXPECT_THAT(lenient, HasSubstr("<skipped message=\"inconclusive"));
}

TEST(JunitReport, NoBaselineIsSkippedWithItsReasonUnlessToldOtherwise) {
  const RunReport report = report_of({no_baseline_case()});
  EXPECT_THAT(render_junit(report, {}), HasSubstr("<skipped message=\"no baseline: baselines/h200-16c/"));
  EXPECT_THAT(render_junit(report, {.missing_baseline_is_error = true}), HasSubstr("<error"));
}

TEST(JunitReport, FailureCarriesCauseAndCommands) {
  const auto document = parsed(render_junit(report_of({regressed_exact()}), {}));
  const auto failure = document.child("testsuites").child("testsuite").child("testcase").child("failure");
  EXPECT_THAT(failure.attribute("message").value(), HasSubstr("REGRESSED"));
  EXPECT_STREQ(failure.attribute("type").value(), "not-equal");
  EXPECT_THAT(failure.text().get(), HasSubstr("operators: 2 154 -> 2 155, +1"));
  EXPECT_THAT(failure.text().get(), HasSubstr("forward: +1 aten::contiguous per step"));
  EXPECT_THAT(failure.text().get(), HasSubstr(regressed_exact().reproduce_command));
  EXPECT_THAT(failure.text().get(), HasSubstr(regressed_exact().accept_command));
}

// GitLab shows the text of <failure>, <error> and <skipped> and drops their message; it links a case to its file.
TEST(JunitReport, EveryResultStatesItsVerdictAsTextForGitlab) {
  const auto document = parsed(render_junit(every_status(), {}));
  int results = 0;
  for (const auto& suite : document.child("testsuites").children("testsuite")) {
    for (const auto& testcase : suite.children("testcase")) {
      for (const char* name : {"classname", "name", "time"}) EXPECT_NE(testcase.attribute(name), nullptr) << name;
      for (const auto& result : testcase.children()) {
        if (std::string(result.name()) == "properties") continue;
        ++results;
        EXPECT_THAT(result.text().get(), HasSubstr(result.attribute("message").value()));
      }
    }
  }
  EXPECT_EQ(results, 7);
}

TEST(JunitReport, LinksACaseToItsBaselineInsideTheRepositoryOnly) {
  EXPECT_THAT(render_junit(report_of({regressed_timed()}), {}),
              HasSubstr(" file=\"baselines/h200-16c/vision/resnet/small_batch.json\""));
  Outcome outside = regressed_timed();
  for (MetricBackground& background : outside.backgrounds) background.baseline_path = "/srv/baselines/a.json";
  EXPECT_THAT(render_junit(report_of({outside}), {}), Not(HasSubstr(" file=")));
}

TEST(JunitReport, PropertiesCarryTheNumbers) {
  const auto document = parsed(render_junit(report_of({regressed_exact()}), {}));
  const auto properties = document.child("testsuites").child("testsuite").child("testcase").child("properties");
  const auto current = properties.find_child_by_attribute("property", "name", "peak_allocated_bytes.current");
  EXPECT_STREQ(current.attribute("value").value(), "1310724");
}

TEST(JunitReport, HostileTextBecomesHarmless) {
  const std::string text = render_junit(report_of({hostile_case()}), {});
  for (char bad : {'\x1b', '\x01'}) EXPECT_EQ(text.find(bad), std::string::npos);
  EXPECT_THAT(text, Not(HasSubstr("&#")));  // a control character as a reference is just as invalid
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;"));
}

}  // namespace
}  // namespace stepgate
