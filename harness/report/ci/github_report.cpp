#include "report/ci/github_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/gate/finding_sources.h"
#include "report/gate/limit_lines.h"
#include "report/gate/metric_cells.h"
#include "report/gate/new_metrics.h"
#include "report/gate/repository_path.h"
#include "report/gate/waivers_in_effect.h"
#include "report/text/case_title.h"
#include "report/text/workflow_command.h"

namespace stepgate {
namespace {

std::string_view kind_of(Status status) {
  switch (status) {
    case Status::failed:
    case Status::regressed:
      return "error";
    case Status::inconclusive:
    case Status::no_baseline:
      return "warning";
    case Status::improved:
      return "notice";
    default:
      return "";
  }
}

std::string title_of(const Outcome& outcome, std::string_view what) {
  return fmt::format("{}: {}", case_title(outcome), what);
}

/// Places the annotation at the line of the code that a cause names; without one at the baseline.
void place(const Outcome& outcome, const MetricVerdict& metric, WorkflowAnnotation& annotation) {
  if (const SourceFrame* line = line_behind(outcome, metric.metric)) {
    annotation.file = line->file;
    annotation.line = line->line;
    return;
  }
  for (const MetricBackground& background : outcome.backgrounds) {
    if (background.metric != metric.metric || background.scope != metric.scope) continue;
    if (!is_repository_path(background.baseline_path)) return;
    annotation.file = background.baseline_path;
    annotation.line = std::max<std::int64_t>(1, background.baseline_line);
  }
}

std::string sentence(const MetricVerdict& metric) {
  const MetricCells cells = metric_cells(metric);
  std::string text = fmt::format("{}: {} -> {}, {}", cells.metric, cells.baseline, cells.now, cells.change);
  for (const std::string& more : {cells.relative, cells.interval}) text += more.empty() ? "" : " " + more;
  if (!cells.limit.empty()) text += ", limit " + cells.limit;
  return metric.detail.empty() ? text : text + "\n" + metric.detail;
}

/// Causes of this metric or of the whole case, then the command.
std::string explanation(const Outcome& outcome, std::string_view metric) {
  std::string text;
  for (const Finding& finding : outcome.findings) {
    if (finding.severity != Severity::cause || !explains(finding, metric)) continue;
    text += "\ncause: " + finding.message;
    if (const std::string sources = further_sources(finding); !sources.empty()) text += "\n" + sources;
  }
  if (!outcome.reproduce_command.empty()) text += "\nreproduce: " + outcome.reproduce_command;
  return text;
}

void annotate_metrics(const Outcome& outcome, std::vector<WorkflowAnnotation>& annotations) {
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    const std::string_view kind = metric.status == Status::no_baseline ? "" : kind_of(metric.status);
    if (!metric.gating || kind.empty()) continue;
    const MetricCells cells = metric_cells(metric);
    WorkflowAnnotation annotation{.kind = kind,
                                  .file = "",
                                  .line = 0,
                                  .title = title_of(outcome, cells.metric + " " + cells.verdict),
                                  .message = sentence(metric) + explanation(outcome, metric.metric)};
    place(outcome, metric, annotation);
    annotations.push_back(std::move(annotation));
  }
}

/// A case whose verdict rests on no single metric: it crashed, or nothing is stored for it.
void annotate_case(const Outcome& outcome, std::vector<WorkflowAnnotation>& annotations) {
  const CaseVerdict& verdict = outcome.verdict;
  std::string message = verdict.detail.empty() ? std::string(name_of(verdict.reason)) : verdict.detail;
  for (const ReplicateFailure& failure : outcome.failures) message += "\n" + failure.message;
  annotations.push_back({.kind = kind_of(verdict.status),
                         .file = "",
                         .line = 0,
                         .title = title_of(outcome, status_text(verdict.status)),
                         .message = message + explanation(outcome, "")});
}

void annotate_waivers(const Outcome& outcome, std::vector<WorkflowAnnotation>& annotations) {
  for (const std::string& line : waivers_in_effect(outcome)) {
    annotations.push_back({"warning", "", 0, title_of(outcome, "waiver in effect"), line});
  }
}

/// One annotation for what is loosened, and one for the rest: a long list must not push the cases out.
void annotate_limits(const RunReport& report, std::vector<WorkflowAnnotation>& annotations) {
  if (!tells_limits(report)) return;
  const LimitReview& review = *report.limits;
  std::string loosened, others;
  for (const LimitLine& line : first_lines(limit_lines(review), shown_limit_lines))
    (line.loosens ? loosened : others) += fmt::format("{}: {}\n", line.label, line.text);
  if (!loosened.empty()) {
    loosened += consent_advice(review);
    annotations.push_back({lacks_consent(review) ? "error" : "warning", "", 0, loosened_words(report), loosened});
  }
  if (!others.empty()) {
    const std::string_view kind = review.unread.empty() ? "notice" : "warning";
    annotations.push_back({kind, "", 0, limits_heading(review), others});
  }
}

std::vector<WorkflowAnnotation> annotations_of(const RunReport& report) {
  std::vector<WorkflowAnnotation> annotations;
  annotate_limits(report, annotations);
  for (const std::string& name : report.missing_cases) {
    annotations.push_back({"error", "", 0, name + ": not measured", "expected by the manifest and not measured"});
  }
  for (const Outcome& outcome : report.outcomes) {
    const std::size_t before = annotations.size();
    annotate_metrics(outcome, annotations);
    if (annotations.size() == before && !kind_of(outcome.verdict.status).empty()) annotate_case(outcome, annotations);
    annotate_waivers(outcome, annotations);
  }
  if (const NewMetrics found = new_metrics(report); !found.list.empty()) {
    std::string message = found.list + "\n" + std::string(new_metrics_meaning);
    for (const std::string& command : found.commands) message += "\naccept: " + command;
    annotations.push_back({"notice", "", 0, "not judged: new metrics", message});
  }
  return annotations;
}

}  // namespace

std::string render_github(const RunReport& report, const GithubStyle& style) {
  const std::vector<WorkflowAnnotation> all = annotations_of(report);
  std::string text;
  for (std::string_view kind : {"error", "warning", "notice"}) {
    std::vector<WorkflowAnnotation> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const WorkflowAnnotation& annotation) { return annotation.kind == kind; });
    const std::size_t most = std::max<std::size_t>(1, style.most_per_kind);
    const std::size_t shown = some.size() <= most ? some.size() : most - 1;
    for (std::size_t i = 0; i < shown; ++i) text += workflow_command(some[i]);
    if (shown == some.size()) continue;
    WorkflowAnnotation rest{kind, "", 0, fmt::format("{} more", some.size() - shown), ""};
    for (std::size_t i = shown; i < some.size(); ++i) rest.message += (i == shown ? "" : "\n") + some[i].title;
    text += workflow_command(rest);
  }
  return text;
}

}  // namespace stepgate
