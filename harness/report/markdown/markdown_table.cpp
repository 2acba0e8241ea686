#include "report/markdown/markdown_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/gate/metric_cells.h"
#include "report/gate/skip_reason.h"
#include "report/gate/tally.h"
#include "report/text/case_title.h"
#include "report/text/markdown_text.h"

namespace stepgate {
namespace {

/// The verdict first: a comment is narrow, and the columns at its right may be out of view.
std::string heading_of(const RunReport& report) {
  return fmt::format(
      "| verdict | case | metric | {} | now | change | limit |\n| --- | --- | --- | ---: | ---: | --- | --- |\n",
      is_of_two_builds(report) ? "base" : "baseline");
}
/// The detail of a metric or a case inside a cell: a sentence, not a page.
constexpr std::size_t detail_width = 200;

bool is_red(Status status) { return status == Status::regressed || status == Status::failed; }

bool is_problem(const MetricVerdict& verdict) {
  return verdict.gating &&
         (is_red(verdict.status) || verdict.status == Status::inconclusive || verdict.status == Status::improved);
}

bool has_problem(const Outcome& outcome) {
  return std::any_of(outcome.verdict.metrics.begin(), outcome.verdict.metrics.end(), is_problem);
}

/// A number and its unit stay on one line, however narrow the column: no-break spaces.
std::string unbroken(const std::string& number) {
  std::string text;
  for (char c : number) text += c == ' ' ? std::string("\xC2\xA0") : std::string(1, c);
  return text;
}

std::string verdict_cell(Status status, const std::string& text) { return is_red(status) ? "**" + text + "**" : text; }

/// Numbers only; for a metric without a single change (losses) the detail of its verdict.
std::string change_cell(const MetricVerdict& verdict, const MetricCells& cells) {
  if (!verdict.change && !verdict.detail.empty() && cells.change == "-")
    return markdown_text(verdict.detail, detail_width);
  std::string text = unbroken(cells.change);
  for (const std::string& more : {cells.relative, cells.interval}) text += more.empty() ? "" : " " + unbroken(more);
  return text;
}

std::string row(const std::string& case_cell, const MetricVerdict& verdict) {
  const MetricCells cells = metric_cells(verdict);
  const std::string name = markdown_text(cells.metric, 80);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", verdict_cell(verdict.status, verdict_text(verdict)),
                     case_cell, verdict.gating ? name : name + " (explains)", unbroken(cells.baseline),
                     unbroken(cells.now), change_cell(verdict, cells), unbroken(markdown_text(cells.limit, 60)));
}

/// A case whose verdict rests on no single metric: it crashed, was skipped, or nothing is stored for it.
std::string case_row(const std::string& verdict, const std::string& case_cell, const std::string& why) {
  return fmt::format("| {} | {} | | | | {} | |\n", verdict, case_cell, markdown_text(why, detail_width));
}

std::string case_row(const Outcome& outcome) {
  std::string why = outcome.verdict.status == Status::skipped ? skip_reason(outcome) : outcome.verdict.detail;
  if (why.empty()) why = name_of(outcome.verdict.reason);
  const Status status = outcome.verdict.status;
  return case_row(verdict_cell(status, status_text(status)), markdown_case_name(outcome), why);
}

}  // namespace

std::string markdown_case_name(const Outcome& outcome) {
  std::string name = markdown_code(outcome.verdict.case_name);
  if (const std::string more = case_qualifier(outcome); !more.empty()) name += " (" + markdown_text(more, 60) + ")";
  return name;
}

MarkdownPart problem_table(const RunReport& report) {
  MarkdownPart part{.rank = 1,
                    .opening = "\n" + heading_of(report),
                    .items = {},
                    .closing = "",
                    .noun = "table row",
                    .share = 0.5};  // the other half is for causes and commands
  for (const std::string& name : report.missing_cases) {
    part.items.push_back(case_row("**NOT MEASURED**", markdown_code(name), "expected and not measured"));
  }
  for (const Outcome& outcome : report.outcomes) {
    const Status status = outcome.verdict.status;
    if (!has_problem(outcome) && status != Status::pass) part.items.push_back(case_row(outcome));
    bool first = true;
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!is_problem(metric) && !was_asked_for(metric)) continue;
      part.items.push_back(row(first ? markdown_case_name(outcome) : "", metric));
      first = false;
    }
  }
  return part;
}

MarkdownPart folded_table(const RunReport& report) {
  MarkdownPart part{
      .rank = 9, .opening = "", .items = {}, .closing = "\n</details>\n", .noun = "table row", .share = 1};
  for (const Outcome& outcome : report.outcomes) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!is_problem(metric) && !was_asked_for(metric)) part.items.push_back(row(markdown_case_name(outcome), metric));
    }
  }
  part.opening =
      fmt::format("\n<details><summary>{} other metrics: unchanged, within limits, or not judged</summary>\n\n{}",
                  part.items.size(), heading_of(report));
  return part;
}

}  // namespace stepgate
