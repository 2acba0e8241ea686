#include "report/gate/console_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/judged/emulated_result.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/gate/failure_groups.h"
#include "report/gate/finding_sources.h"
#include "report/gate/judged_text.h"
#include "report/gate/limit_lines.h"
#include "report/gate/metric_table.h"
#include "report/gate/new_metrics.h"
#include "report/gate/shared_observations.h"
#include "report/gate/skip_reason.h"
#include "report/gate/tally.h"
#include "report/gate/waivers_in_effect.h"
#include "report/text/case_title.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

bool is_quiet(const Outcome& outcome) {
  const auto& metrics = outcome.verdict.metrics;
  if (std::any_of(metrics.begin(), metrics.end(), was_asked_for)) return false;
  return outcome.verdict.status == Status::pass || outcome.verdict.status == Status::skipped;
}

/// Rows for what needs looking at. Metrics that passed, are not judged or have no baseline share one line below the
/// table.
bool is_shown(const MetricVerdict& verdict, bool verbose) {
  if (verbose || was_asked_for(verdict)) return true;
  return verdict.gating && verdict.status >= Status::improved && verdict.status != Status::no_baseline;
}

/// An open verdict with its reason code: what to do is looked up by it (docs/accepting_a_baseline.md, "Inconclusive").
std::string with_code(const std::string& detail, Status status, const VerdictReason& reason) {
  if (status != Status::inconclusive || reason.empty()) return detail;
  return fmt::format("{}{}[{}]", detail, detail.empty() ? "" : " ", name_of(reason));
}

/// The detail of the verdict, where the numbers of a row do not say enough.
std::string detail_of(const MetricVerdict& verdict, bool verbose) {
  const Metric* metric = find_metric(verdict.metric);
  const bool numeric = metric != nullptr && metric->tier == Tier::numeric && verdict.status != Status::pass;
  const bool open = verdict.status == Status::inconclusive || verdict.status == Status::failed;
  const bool shown = verbose || numeric || was_asked_for(verdict) || open || !verdict.baseline || !verdict.current;
  return shown ? with_code(verdict.detail, verdict.status, verdict.reason) : "";
}

std::vector<TableRow> rows_of(const Outcome& outcome, const ConsolePage& page) {
  std::vector<TableRow> rows;
  const bool verbose = page.style().verbose;
  if (is_quiet(outcome) && !verbose) return rows;
  for (const MetricVerdict& verdict : outcome.verdict.metrics) {
    if (!is_shown(verdict, verbose)) continue;
    TableRow row{metric_cells(verdict), page.clean(detail_of(verdict, verbose)), verdict.status};
    row.cells.metric = page.clean(row.cells.metric);
    row.cells.limit = page.clean(row.cells.limit);
    if (!verdict.gating && verdict.status >= Status::improved) row.cells.verdict = "(" + row.cells.verdict + ")";
    rows.push_back(std::move(row));
  }
  return rows;
}

TableLayout layout_of(const RunReport& report, const ConsolePage& page) {
  std::vector<TableRow> all;
  for (const Outcome& outcome : report.outcomes) {
    for (TableRow& row : rows_of(outcome, page)) all.push_back(std::move(row));
  }
  return lay_out(all, {page.width(), page.style().ascii});
}

/// One line for each floor, budget and target; for a case without a problem all in one paragraph.
void add_limits_of_case(const CaseVerdict& verdict, ConsolePage& page) {
  for (const LimitVerdict& limit : verdict.limits) page.paragraph(name_of(limit.limit.kind), text_of(limit));
}

std::string limits_summary(const CaseVerdict& verdict) {
  std::string text;
  for (const LimitVerdict& limit : verdict.limits)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name_of(limit.limit.kind), text_of(limit));
  return text;
}

void add_table(const Outcome& outcome, const TableLayout& layout, ConsolePage& page) {
  const auto rows = rows_of(outcome, page);
  if (rows.empty()) return;
  if (!layout.stacked) page.line(table_heading(layout, outcome.kind == result_of_pairs ? "base" : "baseline"));
  for (const TableRow& row : rows) {
    const std::string verdict = page.painted(row.cells.verdict, row.status);
    for (const std::string& line : table_lines(row, layout, verdict)) page.line(line);
  }
}

/// "without a runner baseline: 7". A process that failed reports no facts, so its baselines seem to be of other
/// conditions: the summary leaves out such a case.
std::string open_summary(const Outcome& outcome) {
  if (outcome.verdict.status == Status::failed && !outcome.failures.empty()) return "";
  std::map<std::string, int> counts;
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    if (!metric.gating || metric.status != Status::no_baseline) continue;
    const std::string baseline = fmt::format("{} baseline", name_of(metric.scope));
    const bool differs =
        metric.reason == ReasonCode::incompatible_baseline || metric.reason == ReasonCode::incompatible_tree;
    ++counts[differs ? baseline + " of other conditions" : "without a " + baseline];
  }
  std::string text;
  for (const auto& [what, count] : counts) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, count);
  return text;
}

void add_folded(const Outcome& outcome, ConsolePage& page) {
  if (page.style().verbose) return;
  page.paragraph("rest", passing_summary(outcome.verdict));
  page.paragraph("open", open_summary(outcome));
}

void add_findings(const Outcome& outcome, ConsolePage& page) {
  const Status status = outcome.verdict.status;
  const bool notes = page.style().verbose || status == Status::improved || status == Status::no_baseline;
  for (const Finding& finding : outcome.findings) {
    const bool hidden = finding.severity == Severity::note && !notes && !is_observation(finding);
    if (hidden || repeats_failures(finding, outcome)) continue;
    page.paragraph(finding_label(finding), finding.message);
    page.paragraph("", further_sources(finding));
    page.paragraph("", finding.advice);
  }
}

void add_failures(const Outcome& outcome, ConsolePage& page) {
  for (const FailureGroup& group : failure_groups(outcome)) {
    page.paragraph("failure", group.sentence());
    const std::string& printed = group.first.output_tail;
    const std::vector<std::string> lines = page.style().verbose
                                               ? last_lines(printed, std::string::npos)
                                               : last_lines_without_frames(printed, shown_output_lines);
    for (const std::string& line : lines) page.verbatim("", "| " + line);
  }
}

void add_fingerprint(const Outcome& outcome, ConsolePage& page) {
  std::string facts;
  for (const auto& [key, value] : outcome.fingerprint) {
    facts += fmt::format("{}{}={}", facts.empty() ? "" : ", ", key, value);
  }
  page.paragraph("found", facts);
}

void add_case(const Outcome& outcome, const TableLayout& layout, ConsolePage& page) {
  page.blank();
  page.line(page.painted(status_text(outcome.verdict.status), outcome.verdict.status) + "  " +
            page.clean(case_title(outcome)));
  add_table(outcome, layout, page);
  const bool said_below = repeats_failures(outcome.verdict.detail, outcome);
  if (rows_of(outcome, page).empty() && !said_below) {
    const CaseVerdict& verdict = outcome.verdict;
    page.paragraph("why", with_code(verdict.detail, verdict.status, verdict.reason));
  }
  add_folded(outcome, page);
  add_findings(outcome, page);
  add_failures(outcome, page);
  page.paragraph("speed", throughput_summary(outcome.verdict));
  add_limits_of_case(outcome.verdict, page);
  if (outcome.losses) page.paragraph("losses", text_of(*outcome.losses));
  page.paragraph(outcome.kind == result_of_pairs ? "against" : "baseline", outcome.baseline_summary);
  if (page.style().verbose) {
    page.verbatim("", outcome.baseline_path);
    add_fingerprint(outcome, page);
  }
  page.verbatim("reproduce", outcome.reproduce_command);
  page.verbatim("accept", outcome.accept_command);
}

/// The line of a case without a problem: status, name, and a summary if it fits.
struct QuietLine {
  Status status = Status::pass;
  std::string name;
  std::string summary;
  bool below = false;  ///< the summary is a list of names, and always below
  std::vector<Finding> findings = {};
  std::string limits = {};
};

/// Skipped cases by what is missing here: on a machine without a GPU that is one line, however many cases need one.
void add_skipped_lines(const RunReport& report, const ConsolePage& page, std::vector<QuietLine>& lines) {
  std::map<std::string, std::vector<std::string>> names_by_reason;
  for (const Outcome& outcome : report.outcomes) {
    if (outcome.verdict.status == Status::skipped)
      names_by_reason[skip_reason(outcome)].push_back(page.clean(case_title(outcome)));
  }
  for (const auto& [reason, names] : names_by_reason) {
    QuietLine line{Status::skipped, names.front(), reason};
    if (names.size() > 1) {
      line.name = fmt::format("{} cases: {}", names.size(), page.clean(reason));
      line.summary = fmt::format("{}", fmt::join(names, ", "));
      line.below = true;
    }
    lines.push_back(std::move(line));
  }
}

std::vector<QuietLine> quiet_lines(const RunReport& report, const ConsolePage& page) {
  std::vector<QuietLine> lines;
  for (const Outcome& outcome : report.outcomes) {
    if (!is_quiet(outcome) || outcome.verdict.status == Status::skipped) continue;
    std::string summary = throughput_summary(outcome.verdict);
    if (summary.empty()) summary = passing_summary(outcome.verdict);
    if (outcome.losses) {
      summary += fmt::format("{}losses to step {}", summary.empty() ? "" : page.separator(), outcome.losses->last_step);
    }
    lines.push_back({outcome.verdict.status, page.clean(case_title(outcome)), summary, false, outcome.findings,
                     limits_summary(outcome.verdict)});
  }
  add_skipped_lines(report, page, lines);
  return lines;
}

void add_observations_of(const QuietLine& line, const std::vector<SharedObservation>& shared, ConsolePage& page) {
  for (const Finding& finding : line.findings) {
    if (finding.severity == Severity::note && !is_observation(finding)) continue;
    if (is_shared(shared, finding)) continue;
    page.paragraph(finding_label(finding), finding.message);
    page.paragraph("", further_sources(finding));
  }
}

void add_quiet_cases(const RunReport& report, ConsolePage& page) {
  const std::vector<QuietLine> lines = quiet_lines(report, page);
  const std::vector<SharedObservation> shared = shared_observations(report);
  std::size_t widest = 0;
  for (const QuietLine& line : lines) widest = std::max(widest, line.below ? 0 : columns(line.name));
  if (!lines.empty()) page.blank();
  for (const QuietLine& line : lines) {
    const std::string status = padded_right(status_text(line.status), columns("skipped"));
    const std::string start = page.painted(status, line.status) + "  ";
    if (!line.below && columns(status) + 2 + widest + 2 + columns(line.summary) <= page.width()) {
      page.line(start + padded_right(line.name, widest) + "  " + page.clean(line.summary));
    } else {
      page.line(start + line.name);
      page.paragraph("", line.summary);
    }
    page.paragraph("limits", line.limits);
    add_observations_of(line, shared, page);
  }
  for (const SharedObservation& one : shared) {
    page.paragraph("note", shared_text(one));
    page.paragraph("", fmt::format("{}", fmt::join(one.cases, ", ")));
  }
}

void add_wrapped(const std::string& text, ConsolePage& page) {
  for (const std::string& line : wrapped(page.clean(text), page.width())) page.line(line);
}

void add_heading(const RunReport& report, ConsolePage& page) {
  const bool no_consent = report.limits && lacks_consent(*report.limits);
  const Status worst_case = report.outcomes.empty() ? Status::failed : report.outcomes.front().verdict.status;
  const Status worst = no_consent ? std::max(worst_case, Status::regressed) : worst_case;
  std::string origin;
  const auto add = [&](std::string_view what, const std::string& value) {
    if (!value.empty()) origin += fmt::format("{}{}{}", page.separator(), what, page.clean(value));
  };
  add("runner class ", report.runner_class);
  add("", short_commit(report.commit));
  add("", report.utc);
  const std::string verdict = page.clean(tally(report));
  if (columns(verdict) + columns(origin) <= page.width()) {
    page.line(page.painted(verdict, worst) + origin);
  } else {
    for (const std::string& line : wrapped(verdict, page.width())) page.line(page.painted(line, worst));
    if (origin.empty()) return;
    for (const std::string& line : wrapped(origin.substr(page.separator().size()), page.width())) page.line(line);
  }
}

void add_limit_lines(const RunReport& report, ConsolePage& page) {
  if (!tells_limits(report)) return;
  const LimitReview& review = *report.limits;
  page.blank();
  page.line(page.clean(limits_heading(review)));
  const std::size_t most = page.style().verbose ? std::string::npos : shown_limit_lines;
  for (const LimitLine& line : first_lines(limit_lines(review), most)) page.paragraph(line.label, line.text);
  if (loosened_count(review) > 0) page.paragraph("allowed", review.allowed_by.empty() ? "" : "by " + review.allowed_by);
  page.paragraph("consent", consent_advice(review));
}

void add_new_metrics(const RunReport& report, ConsolePage& page) {
  const NewMetrics found = new_metrics(report);
  if (found.list.empty()) return;
  page.blank();
  page.line("not judged: new metrics");
  page.paragraph("new", found.list);
  page.paragraph("", new_metrics_meaning);
  for (const std::string& command : found.commands) page.verbatim("accept", command);
}

void add_missing(const RunReport& report, ConsolePage& page) {
  if (report.missing_cases.empty()) return;
  page.blank();
  page.line(
      page.painted("NOT MEASURED", Status::failed) +
      fmt::format("  {} of {}", report.missing_cases.size(), counted(report.expected_cases.size(), "expected case")));
  for (const std::string& name : report.missing_cases) page.line("  " + page.clean(name));
}

}  // namespace

std::string render_console(const RunReport& report, const ConsoleStyle& style) {
  ConsolePage page(style);
  const TableLayout layout = layout_of(report, page);
  add_heading(report, page);
  if (const std::string told = emulated_sentence(report); !told.empty()) add_wrapped(told, page);
  add_limit_lines(report, page);
  for (const std::string& line : judged_lines(report)) add_wrapped(line, page);
  add_missing(report, page);
  for (const Outcome& outcome : report.outcomes) {
    if (style.verbose || !is_quiet(outcome)) add_case(outcome, layout, page);
  }
  if (!style.verbose) add_quiet_cases(report, page);
  add_new_metrics(report, page);
  page.blank();
  return page.text() +
         render_last_lines(style.exit_sentence.empty() ? exit_sentence(report) : style.exit_sentence, style);
}

std::string render_last_lines(const std::string& sentence, const ConsoleStyle& style) {
  ConsolePage page(style);
  for (const std::string& line : last_lines(sentence, std::string::npos)) {
    if (line.starts_with("  ")) {
      page.line(page.clean(line));
    } else {
      add_wrapped(line, page);
    }
  }
  return page.text();
}

}  // namespace stepgate
