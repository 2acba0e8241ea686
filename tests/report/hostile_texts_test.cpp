// Every report with each hostile text in every place: nothing breaks out of a table, a code block, XML, SVG or a line.
#include "support/hostile_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "report/baselines/lint_report.h"
#include "report/ci/ctest_report.h"
#include "report/ci/github_report.h"
#include "report/ci/junit_report.h"
#include "report/gate/console_report.h"
#include "report/markdown/markdown_report.h"
#include "report/studies/saved_law_report.h"
#include "report/studies/sweep_plot.h"
#include "report/studies/sweep_report.h"
#include "report/text/log_lines.h"
#include "support/sample_reports.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

RunReport report_with(const std::string& text) {
  Outcome waived = passing_exact();
  waived.findings = {{FindingCode::waiver, Severity::warning, "loss: " + text, text, "loss"}};
  RunReport report = report_of({hostile_case_of(text), waived});
  report.runner_class = report.commit = report.stepgate_version = report.utc = text;
  report.missing_cases = {text};
  report.limits = LimitReview{.base_commit = text, .changes = {}, .unread = {text}, .allowed_by = text};
  for (const LimitMove move : {LimitMove::edited_by_hand, LimitMove::loosened, LimitMove::changed}) {
    report.limits->changes.push_back(
        {.move = move, .suite = text, .place = text, .key = text, .before = text, .after = text, .note = text});
  }
  return report;
}

Sweep sweep_with(const std::string& text) {
  Sweep sweep = sample_sweep();
  sweep.case_name = sweep.runner_class = text;
  sweep.parameters.front().name = text;
  for (SweepSetting& setting : sweep.settings) setting.values.front() = text;
  sweep.settings[7].failure = sweep.settings[7].output_tail = text;
  return sweep;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Elements of a document with their attributes, without any text.
struct ElementShape : pugi::xml_tree_walker {
  std::string text;
  bool for_each(pugi::xml_node& node) override {
    if (node.type() == pugi::node_pcdata) return true;
    text += std::string(static_cast<std::size_t>(depth()), ' ') + node.name();
    for (const pugi::xml_attribute& attribute : node.attributes()) text += std::string(" ") + attribute.name();
    text += "\n";
    return true;
  }
};

std::string shape_of(const std::string& xml) {
  pugi::xml_document document;
  const auto read = document.load_string(xml.c_str(), pugi::parse_full);
  EXPECT_TRUE(read) << read.description() << "\n" << xml;
  ElementShape shape;
  document.traverse(shape);
  return shape.text;
}

TEST(HostileTexts, PagesOfATerminal) {
  for (const HostileText& one : hostile_texts()) {
    for (const int width : {40, 80, 140}) {
      const ConsoleStyle style{.color = true, .width = width, .verbose = true};
      for (const std::string& page :
           {render_console(report_with(one.text), style), render_sweep(sweep_with(one.text), style)}) {
        EXPECT_EQ(fault_of_log(log_text(page, Colours::kept), Colours::kept), "") << one.name;
        // The page itself is clean already, so that the last step needs to change only the begin of lines.
        EXPECT_EQ(std::count(page.begin(), page.end(), '\r'), 0) << one.name;
      }
    }
  }
}

TEST(HostileTexts, ALawOfSavedBytesKeepsItsLines) {
  for (const HostileText& one : hostile_texts()) {
    SavedLawStudy study{.case_name = one.text, .parameters = {one.text}};
    study.settings = {{.values = {one.text}, .steps = {}, .failure = one.text}};
    study.fit.reason = one.text;
    const std::string page = render_saved_law(study, {});
    EXPECT_EQ(fault_of_log(log_text(page, Colours::removed), Colours::removed), "") << one.name;
    EXPECT_EQ(std::count(page.begin(), page.end(), '\n'), one.text.empty() ? 5 : 6)
        << one.name << ": no line for a failure without text";
  }
}

TEST(HostileTexts, LintProblemsAreTwoLinesEach) {
  for (const HostileText& one : hostile_texts()) {
    const std::string text = render_lint({{one.text, 1, one.text, one.text, "x" + one.text}}, 1);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << one.name;
  }
}

TEST(HostileTexts, AnnotationsAreOneLineEach) {
  const std::size_t expected = split_lines(render_github(report_with("plain"), {})).size();
  for (const HostileText& one : hostile_texts()) {
    const std::string text = render_github(report_with(one.text), {});
    const auto lines = split_lines(text);
    EXPECT_EQ(lines.size(), expected) << one.name;
    for (const std::string& line : lines) {
      EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ")) << one.name << ": " << line;
    }
    EXPECT_EQ(text.find_first_of("\r\x1b\x07\x7f"), std::string::npos) << one.name;
  }
}

TEST(HostileTexts, CtestMeasurementsAreOneElementALine) {
  const std::size_t expected = split_lines(render_ctest_measurements(hostile_case_of("plain"))).size();
  for (const HostileText& one : hostile_texts()) {
    const auto lines = split_lines(render_ctest_measurements(hostile_case_of(one.text)));
    EXPECT_EQ(lines.size(), expected) << one.name;
    for (const std::string& line : lines) {
      EXPECT_EQ(shape_of(line), "CTestMeasurement type name\n") << one.name << ": " << line;
      EXPECT_EQ(line.find("##["), std::string::npos) << one.name;
    }
  }
}

/// Elements in the order of their names, because suites are sorted by theirs; a case links to a file by its path.
std::vector<std::string> elements_of_junit(const std::string& xml) {
  auto lines = split_lines(shape_of(xml));
  for (std::string& line : lines) {
    if (const auto at = line.find(" file"); at != std::string::npos) line.erase(at, 5);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(HostileTexts, JunitKeepsItsElements) {
  const auto expected = elements_of_junit(render_junit(report_with("plain"), {}));
  for (const HostileText& one : hostile_texts()) {
    const std::string xml = render_junit(report_with(one.text), {});
    if (!one.text.empty()) {  // an empty text leaves out attributes and properties
      EXPECT_EQ(elements_of_junit(xml), expected) << one.name;
    }
    EXPECT_EQ(xml.find_first_of("\x1b\x07\x7f\x08"), std::string::npos) << one.name;
    EXPECT_EQ(xml.find("[[ATTACHMENT|"), std::string::npos) << one.name;
  }
}

TEST(HostileTexts, SvgKeepsItsElements) {
  const std::string expected = shape_of(render_sweep_plot(sweep_with("plain")));
  for (const HostileText& one : hostile_texts()) {
    const std::string svg = render_sweep_plot(sweep_with(one.text));
    if (!one.text.empty()) {
      EXPECT_EQ(shape_of(svg), expected) << one.name;
    }
    EXPECT_EQ(svg.find_first_of("\x1b\x07\x7f\x08"), std::string::npos) << one.name;
  }
}

TEST(HostileTexts, MarkdownKeepsItsLines) {
  const auto begin_of = [](const std::string& line) { return line.substr(0, std::min<std::size_t>(2, line.size())); };
  for (const HostileText& one : hostile_texts()) {
    const std::string text = render_markdown(report_with(one.text), {});
    EXPECT_EQ(text.find_first_of("\r\x1b\x07\x7f\x08"), std::string::npos) << one.name;
    bool fenced = false;
    std::string fence;
    for (const std::string& line : split_lines(text)) {
      if (line.starts_with("```")) {
        const std::string marks = line.substr(0, line.find_first_not_of('`'));
        if (!fenced) fence = marks;
        if (!fenced || line == fence) fenced = !fenced;
        continue;
      }
      if (fenced) continue;
      EXPECT_TRUE(line.find("<script") == std::string::npos && line.find("](") == std::string::npos) << line;
      if (begin_of(line) == "| ") {
        EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 8) << one.name << ": " << line;
      }
    }
    EXPECT_FALSE(fenced) << one.name << ": a code block is left open";
  }
}

}  // namespace
}  // namespace stepgate
