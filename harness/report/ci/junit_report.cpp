#include "report/ci/junit_report.h"

#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "core/judged/emulated_result.h"
#include "report/gate/failure_groups.h"
#include "report/gate/finding_sources.h"
#include "report/gate/limit_lines.h"
#include "report/gate/metric_cells.h"
#include "report/gate/repository_path.h"
#include "report/gate/skip_reason.h"
#include "report/gate/waivers_in_effect.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

enum class Kind { passed, failure, error, skipped };

Kind kind_of(Status status, const JunitStyle& style) {
  switch (status) {
    case Status::regressed:
      return Kind::failure;
    case Status::failed:
      return Kind::error;
    case Status::inconclusive:
      return style.inconclusive_is_error ? Kind::error : Kind::skipped;
    case Status::no_baseline:
      return style.missing_baseline_is_error ? Kind::error : Kind::skipped;
    case Status::skipped:
      return Kind::skipped;
    default:
      return Kind::passed;
  }
}

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  double seconds = 0;

  void add(Kind kind, double time) {
    ++tests;
    failures += kind == Kind::failure ? 1 : 0;
    errors += kind == Kind::error ? 1 : 0;
    skipped += kind == Kind::skipped ? 1 : 0;
    seconds += time;
  }
};

/// Text without what XML cannot hold, and without the mark by which Jenkins and GitLab publish a file.
std::string harmless(std::string_view text) {
  std::string result = xml_text(text);
  constexpr std::string_view mark = "[[ATTACHMENT|";
  for (std::size_t at = result.find(mark); at != std::string::npos; at = result.find(mark, at))
    result.insert(at + 1, " ");
  return result;
}

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = harmless(value).c_str();
}

void set_counts(pugi::xml_node node, const Counts& counts) {
  node.append_attribute("tests") = counts.tests;
  node.append_attribute("failures") = counts.failures;
  node.append_attribute("errors") = counts.errors;
  node.append_attribute("skipped") = counts.skipped;
  set(node, "time", fmt::format("{:.3f}", counts.seconds));
}

std::string suite_of(const std::string& case_name) { return case_name.substr(0, case_name.find('/')); }

std::string short_message(const CaseVerdict& verdict) {
  const std::string status = status_text(verdict.status);
  if (verdict.detail.empty())
    return verdict.reason.empty() ? status : fmt::format("{}: {}", status, name_of(verdict.reason));
  return fmt::format("{}: {}", status, verdict.detail);
}

std::string metric_line(const MetricVerdict& verdict) {
  const MetricCells cells = metric_cells(verdict);
  std::string line = fmt::format("{}: {} -> {}, {}", cells.metric, cells.baseline, cells.now, cells.change);
  if (!cells.relative.empty()) line += " " + cells.relative;
  if (!cells.interval.empty()) line += " " + cells.interval;
  if (!cells.limit.empty()) line += ", limit " + cells.limit;
  line += ": " + cells.verdict;
  return verdict.detail.empty() ? line : line + " (" + verdict.detail + ")";
}

/// "floor: samples at least 4 000 samples/s: met, ...", one for each floor, budget and target.
std::vector<std::string> limit_texts(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const LimitVerdict& limit : outcome.verdict.limits)
    lines.push_back(fmt::format("{}: {}", name_of(limit.limit.kind), text_of(limit)));
  return lines;
}

/// The text of a failed test: which metrics, why, how to reproduce, how to accept.
std::string long_text(const Outcome& outcome) {
  std::string text;
  const auto add = [&](const std::string& line) { text += line + '\n'; };
  add(short_message(outcome.verdict));  // again: GitLab shows the text of an element and not its message
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    if (metric.gating && metric.status != Status::pass) add(metric_line(metric));
  }
  for (const std::string& line : limit_texts(outcome)) add(line);
  for (const Finding& finding : outcome.findings) {
    if (finding.severity == Severity::note || repeats_failures(finding, outcome)) continue;
    add(fmt::format("{}: {}", finding_label(finding), finding.message));
    if (const std::string sources = further_sources(finding); !sources.empty()) add("  " + sources);
    if (!finding.advice.empty()) add("  " + finding.advice);
  }
  for (const FailureGroup& group : failure_groups(outcome)) {
    const ReplicateFailure& failure = group.first;
    add(group.sentence());
    if (!failure.output_tail.empty()) text += failure.output_tail + (failure.output_tail.ends_with('\n') ? "" : "\n");
  }
  if (!outcome.reproduce_command.empty()) add("reproduce: " + outcome.reproduce_command);
  if (!outcome.accept_command.empty()) add("accept: " + outcome.accept_command);
  return text;
}

void add_property(pugi::xml_node properties, const std::string& name, const std::string& value) {
  pugi::xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

void add_properties(pugi::xml_node testcase, const Outcome& outcome) {
  pugi::xml_node properties = testcase.append_child("properties");
  add_property(properties, "status", std::string(name_of(outcome.verdict.status)));
  if (!outcome.verdict.reason.empty()) add_property(properties, "reason", std::string(name_of(outcome.verdict.reason)));
  if (const std::string gpu = emulated_gpu_of(outcome); !gpu.empty()) add_property(properties, "gpu", gpu);
  if (!outcome.baseline_summary.empty()) add_property(properties, "baseline", outcome.baseline_summary);
  for (const LimitVerdict& limit : outcome.verdict.limits) {
    add_property(properties, fmt::format("{}.{}", name_of(limit.limit.kind), limit.limit.metric),
                 std::string(outcome_text(limit)));
  }
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    if (metric.status == Status::not_judged) add_property(properties, metric.metric + ".status", verdict_text(metric));
    const auto add = [&](std::string_view what, const std::optional<double>& value) {
      if (value) add_property(properties, fmt::format("{}.{}", metric.metric, what), fmt::format("{}", *value));
    };
    add("baseline", metric.baseline);
    add("current", metric.current);
    add("change", metric.change);
    if (!metric.interval) continue;
    add("change_lower", metric.interval->lower);
    add("change_upper", metric.interval->upper);
  }
}

/// The waivers behind a green test, and its limits. The texts of the other tests name theirs already.
void add_waivers_and_limits(pugi::xml_node testcase, const Outcome& outcome) {
  std::string text;
  for (const std::string& line : waivers_in_effect(outcome)) text += "waiver: " + line + "\n";
  for (const std::string& line : limit_texts(outcome)) text += line + "\n";
  if (!text.empty()) testcase.append_child("system-out").text() = harmless(text).c_str();
}

void add_result(pugi::xml_node testcase, Kind kind, const Outcome& outcome) {
  if (kind == Kind::passed) return add_waivers_and_limits(testcase, outcome);
  const char* element = kind == Kind::failure ? "failure" : kind == Kind::error ? "error" : "skipped";
  pugi::xml_node node = testcase.append_child(element);
  CaseVerdict shown = outcome.verdict;
  if (shown.status == Status::skipped) shown.detail = skip_reason(outcome);
  set(node, "message", short_message(shown));
  if (kind == Kind::skipped) {
    node.text() = harmless(short_message(shown)).c_str();
    return;
  }
  set(node, "type", outcome.verdict.reason.empty() ? name_of(outcome.verdict.status) : name_of(outcome.verdict.reason));
  node.text() = harmless(long_text(outcome)).c_str();
}

/// The test case of what the tree changes of its limits.
constexpr std::string_view limits_suite = "limits of the tree";

Kind kind_of(const LimitReview& review) { return lacks_consent(review) ? Kind::failure : Kind::passed; }

/// A testsuite starts with its counts, so its outcomes are read twice.
struct Suite {
  std::vector<const Outcome*> outcomes;
  std::vector<std::string> missing;
};

Counts counts_of(const Suite& suite, const JunitStyle& style) {
  Counts counts;
  for (const Outcome* outcome : suite.outcomes) counts.add(kind_of(outcome->verdict.status, style), outcome->seconds);
  for (std::size_t i = 0; i < suite.missing.size(); ++i) counts.add(Kind::error, 0);
  return counts;
}

/// GitLab links a test case to a file of the repository: the code behind a red, else the baseline.
std::string linked_file(const Outcome& outcome) {
  if (const SourceFrame* line = line_behind(outcome, "")) return line->file;
  for (const MetricBackground& background : outcome.backgrounds) {
    if (is_repository_path(background.baseline_path)) return background.baseline_path;
  }
  return "";
}

void add_case(pugi::xml_node node, const RunReport& report, const Outcome& outcome, const JunitStyle& style) {
  pugi::xml_node testcase = node.append_child("testcase");
  set(testcase, "classname", fmt::format("perf.{}", name_of(outcome.kind)));
  set(testcase, "name", exported_case_name(report, outcome));
  if (const std::string file = linked_file(outcome); !file.empty()) set(testcase, "file", file);
  set(testcase, "time", fmt::format("{:.3f}", outcome.seconds));
  add_properties(testcase, outcome);
  add_result(testcase, kind_of(outcome.verdict.status, style), outcome);
}

void add_missing(pugi::xml_node node, const std::string& name) {
  pugi::xml_node testcase = node.append_child("testcase");
  set(testcase, "classname", "perf");
  set(testcase, "name", name);
  set(testcase, "time", "0.000");
  pugi::xml_node error = testcase.append_child("error");
  set(error, "message", "expected by the manifest and not measured");
  set(error, "type", "not-measured");
  error.text() = "expected by the manifest and not measured";
}

/// A test case for the limits of the tree, which fails where consent is missing.
void add_limits_case(pugi::xml_node root, const RunReport& report) {
  const LimitReview& review = *report.limits;
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", limits_suite);
  Counts counts;
  counts.add(kind_of(review), 0);
  set_counts(suite, counts);
  pugi::xml_node testcase = suite.append_child("testcase");
  set(testcase, "classname", "perf");
  set(testcase, "name", limits_suite);
  set(testcase, "time", "0.000");
  std::string text;
  for (const LimitLine& line : limit_lines(review)) text += fmt::format("{}: {}\n", line.label, line.text);
  if (!lacks_consent(review)) {
    testcase.append_child("system-out").text() = harmless(text).c_str();
    return;
  }
  pugi::xml_node failure = testcase.append_child("failure");
  set(failure, "message", loosened_words(report));
  set(failure, "type", "loosened-without-consent");
  failure.text() = harmless(text + consent_advice(review)).c_str();
}

std::map<std::string, Suite> suites_of(const RunReport& report) {
  std::map<std::string, Suite> suites;
  for (const Outcome& outcome : report.outcomes)
    suites[suite_of(outcome.verdict.case_name)].outcomes.push_back(&outcome);
  for (const std::string& name : report.missing_cases) suites[suite_of(name)].missing.push_back(name);
  return suites;
}

}  // namespace

std::string render_junit(const RunReport& report, const JunitStyle& style) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "stepgate");
  Counts total;
  const auto suites = suites_of(report);
  for (const auto& [name, suite] : suites) {
    for (const Outcome* outcome : suite.outcomes) total.add(kind_of(outcome->verdict.status, style), outcome->seconds);
    for (std::size_t i = 0; i < suite.missing.size(); ++i) total.add(Kind::error, 0);
  }
  if (tells_limits(report)) total.add(kind_of(*report.limits), 0);
  set_counts(root, total);
  if (tells_limits(report)) add_limits_case(root, report);
  for (const auto& [name, suite] : suites) {
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", name);
    set_counts(node, counts_of(suite, style));
    if (!report.utc.empty()) set(node, "timestamp", report.utc);
    if (!report.runner_class.empty()) set(node, "hostname", report.runner_class);
    for (const Outcome* outcome : suite.outcomes) add_case(node, report, *outcome, style);
    for (const std::string& missing : suite.missing) add_missing(node, missing);
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace stepgate
