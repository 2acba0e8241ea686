#include "report/page/gate_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/judged/emulated_result.h"
#include "core/leading_time.h"
#include "core/text/number_format.h"
#include "report/gate/finding_sources.h"
#include "report/gate/limit_lines.h"
#include "report/gate/metric_cells.h"
#include "report/gate/new_metrics.h"
#include "report/gate/shared_observations.h"
#include "report/gate/skip_reason.h"
#include "report/gate/tally.h"
#include "report/gate/waivers_in_effect.h"
#include "report/page/case_section.h"
#include "report/page/gate_answer.h"
#include "report/page/gate_case.h"
#include "report/page/page_chart.h"
#include "report/page/worse_change.h"
#include "report/text/case_title.h"
#include "report/text/clean_text.h"
#include "report/text/leading_label.h"

namespace stepgate {
namespace {

/// Interval charts of passing cases: more of them say less.
constexpr std::size_t charted_passes = 50;
/// Metrics of one case in the first table; the others are in its section.
constexpr std::size_t rows_of_a_case = 3;
constexpr std::size_t cause_width = 110;
/// Changed limits that the page lists.
constexpr std::size_t most_listed_limits = 200;
constexpr const char* waiver_label = "waiver";

std::string cause_cell(const Outcome& outcome, const MetricVerdict* metric) {
  for (const Finding& finding : outcome.findings) {
    const bool other = metric != nullptr && !explains(finding, metric->metric);
    if (finding.severity == Severity::cause && !other)
      return shortened(terminal_text(finding.message, false), cause_width, false);
  }
  return metric == nullptr ? "" : shortened(terminal_text(metric->detail, false), cause_width, false);
}

std::string strip_of(const GatePageInput& input, const Outcome& outcome, const MetricVerdict& metric,
                     const std::string& id) {
  const auto change = worse_change(metric, evidence_of(input.evidence, outcome));
  const Metric* known = find_metric(metric.metric);
  if (!change || known == nullptr || known->tier != Tier::timed) return "";
  return interval_strip({id, label_of(metric.metric) + " of " + outcome.verdict.case_name}, *change);
}

std::string sparkline_of(const GatePageInput& input, const Outcome& outcome, const MetricVerdict& metric,
                         const std::string& id) {
  const std::string& case_name = outcome.verdict.case_name;
  const MetricHistory* history = history_of(input.histories, case_name, metric.metric);
  if (history == nullptr) return "";
  return history_sparkline({id, "History of " + label_of(metric.metric) + " of " + case_name},
                           {*history, metric.current, tone_of(metric.status)});
}

std::vector<const MetricVerdict*> listed_metrics(const CaseVerdict& verdict) {
  std::vector<const MetricVerdict*> metrics;
  if (verdict.status == Status::no_baseline) return metrics;  // none of them has a change
  for (const MetricVerdict& metric : verdict.metrics) {
    const bool told = metric.gating && metric.status != Status::pass && metric.status != Status::skipped &&
                      metric.status != Status::not_judged;
    if (told && metrics.size() < rows_of_a_case) metrics.push_back(&metric);
  }
  return metrics;
}

constexpr std::size_t drawing_column = 5;

const std::vector<PageColumn>& verdict_columns() {
  static const std::vector<PageColumn> columns = {{"verdict"},
                                                  {"case"},
                                                  {"metric"},
                                                  {"base \xE2\x86\x92 now", true},
                                                  {"change, + is worse", true},
                                                  {"against the margins"},
                                                  {"cause"}};
  return columns;
}

/// A table of counts has nothing to draw against margins.
void drop_empty_column(PageTable& table, std::size_t column) {
  const bool filled = std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<PageCell>& row) {
    return !row[column].text.empty() || !row[column].chart.empty();
  });
  if (filled) return;
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

std::vector<PageCell> row_without_metric(const Outcome& outcome, const std::string& id) {
  const Status status = outcome.verdict.status;
  const std::string why = status == Status::skipped ? skip_reason(outcome) : outcome.verdict.detail;
  return {{.text = status_text(status), .tone = tone_of(status)},
          {.text = case_title(outcome), .target = id},
          {},
          {},
          {},
          {},
          {.text = why.empty() ? cause_cell(outcome, nullptr) : why}};
}

std::string section_id(std::size_t index) { return fmt::format("case-{}", index + 1); }

/// Which drawings the column holds.
struct DrawnParts {
  bool margins = false;
  bool history = false;
};

void add_rows(const GatePageInput& input, std::size_t index, PageTable& table, DrawnParts& drawn) {
  const Outcome& outcome = input.report.outcomes[index];
  const std::string id = section_id(index);
  const auto metrics = listed_metrics(outcome.verdict);
  if (metrics.empty()) table.rows.push_back(row_without_metric(outcome, id));
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const MetricVerdict& metric = *metrics[i];
    const std::string strip = strip_of(input, outcome, metric, fmt::format("{}-strip-{}", id, i));
    const std::string sparkline = sparkline_of(input, outcome, metric, fmt::format("{}-spark-{}", id, i));
    drawn.margins |= !strip.empty();
    drawn.history |= !sparkline.empty();
    table.rows.push_back({{.text = verdict_text(metric), .tone = tone_of(metric.status)},
                          {.text = case_title(outcome), .target = id},
                          {.text = label_of(metric.metric)},
                          {.text = values_text(metric)},
                          {.text = worse_text(metric)},
                          {.chart = strip + sparkline},
                          {.text = cause_cell(outcome, &metric)}});
    // One fault often changes several metrics: its cause is told once.
    std::string& cause = table.rows.back().back().text;
    if (i > 0 && !cause.empty() && cause == cause_cell(outcome, metrics[i - 1])) cause = "the same";
  }
}

PageBlock suite_block(const GatePageInput& input) {
  PageBlock block{.heading = "All cases together", .wide = true};
  std::vector<CaseDot> dots;
  for (const Outcome& outcome : input.report.outcomes) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!is_leading_time(metric.metric)) continue;
      if (const auto change = worse_change(metric, nullptr))
        dots.push_back({outcome.verdict.case_name, change->change, change->tone});
      break;
    }
  }
  block.chart =
      suite_strip({"suite", fmt::format("Changes of the {}, one dot a case", leading_label(input.report))}, dots);
  return block;
}

/// A history stands below the change and not beside it: that would push the causes off a screen.
void tell_drawings(DrawnParts drawn, PageTable& table) {
  drop_empty_column(table, drawing_column);
  if (drawn.margins)
    table.caption += ". In the drawings: changes within the band are ignored, those beyond the dashed line matter.";
  if (!drawn.history) return;
  table.columns[drawing_column].text = drawn.margins ? "against the margins, and history" : "history";
  table.caption += drawn.margins ? " Below them the history; its diamond is this run." : ". The diamond is this run.";
}

PageSection worst_first_section(const GatePageInput& input) {
  PageSection section{.id = "verdicts", .heading = "Worst first"};
  PageBlock block{.wide = true};
  block.table.caption = "Cases that did not pass";
  block.table.columns = verdict_columns();
  for (const std::string& name : input.report.missing_cases) {
    block.table.rows.push_back(
        {{.text = "NOT MEASURED", .tone = Tone::bad}, {.text = name}, {}, {}, {}, {}, {.text = "expected, no result"}});
  }
  DrawnParts drawn;
  for (std::size_t i = 0; i < input.report.outcomes.size(); ++i) {
    if (!passed_or_skipped(input.report.outcomes[i])) add_rows(input, i, block.table, drawn);
  }
  tell_drawings(drawn, block.table);
  if (!block.table.rows.empty()) section.blocks.push_back(std::move(block));
  if (PageBlock suite = suite_block(input); !suite.chart.empty()) section.blocks.push_back(std::move(suite));
  return section;
}

PageSection passed_section(const GatePageInput& input) {
  const auto& outcomes = input.report.outcomes;
  const bool all = std::all_of(outcomes.begin(), outcomes.end(), passed_or_skipped);
  PageSection section{.id = "passed", .tone = Tone::good, .folded = !all || outcomes.size() > open_cases};
  PageBlock block{.wide = true};
  block.table.caption = "Cases that passed or were skipped";
  block.table.columns = {{"case"},
                         {"verdict"},
                         {leading_label(input.report), true},
                         {"change, + is worse", true},
                         {"against the margins"},
                         {"what held"}};
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < input.report.outcomes.size(); ++i) {
    const Outcome& outcome = input.report.outcomes[i];
    if (!passed_or_skipped(outcome)) continue;
    if (outcome.verdict.status == Status::skipped) ++skipped;
    const auto& metrics = outcome.verdict.metrics;
    const auto step = std::find_if(metrics.begin(), metrics.end(),
                                   [](const MetricVerdict& metric) { return is_leading_time(metric.metric); });
    const bool timed = step != metrics.end();
    const bool drawn = timed && block.table.rows.size() < charted_passes;
    const std::string held =
        outcome.verdict.status == Status::skipped ? skip_reason(outcome) : passing_summary(outcome.verdict);
    block.table.rows.push_back({{.text = case_title(outcome)},
                                {.text = status_text(outcome.verdict.status), .tone = tone_of(outcome.verdict.status)},
                                {.text = timed ? values_text(*step) : ""},
                                {.text = timed ? worse_text(*step) : ""},
                                {.chart = drawn ? strip_of(input, outcome, *step, section_id(i) + "-strip") : ""},
                                {.text = held}});
  }
  section.heading = counted(block.table.rows.size() - skipped, "case") + " passed";
  for (std::size_t column : {4U, 3U, 2U}) drop_empty_column(block.table, column);  // columns of times
  if (skipped > 0) section.heading += fmt::format(", {} skipped", skipped);
  section.blocks.push_back(std::move(block));
  return section;
}

/// What readers of a green must see: waivers in effect, observations, metrics that no baseline holds yet.
PageSection notice_section(const GatePageInput& input) {
  PageSection section{.id = "notices", .heading = "Also true of this run"};
  PageBlock block{.wide = true};
  const std::vector<SharedObservation> shared = shared_observations(input.report);
  for (const SharedObservation& one : shared) {
    block.items.push_back(
        {.label = "observed", .text = shared_text(one), .advice = fmt::format("{}", fmt::join(one.cases, ", "))});
  }
  for (const Outcome& outcome : input.report.outcomes) {
    const std::string& name = outcome.verdict.case_name;
    for (const std::string& line : waivers_in_effect(outcome))
      block.items.push_back({waiver_label, name + ": " + line});
    for (const Finding& finding : outcome.findings) {
      if (!is_observation(finding) || !passed_or_skipped(outcome) || is_shared(shared, finding)) continue;
      block.items.push_back({.label = "observed", .text = name + ": " + finding.message, .advice = finding.advice});
    }
  }
  const NewMetrics found = new_metrics(input.report);
  if (!found.list.empty()) {
    block.items.push_back({.label = "not judged, new", .text = found.list, .advice = std::string(new_metrics_meaning)});
    for (const std::string& command : found.commands) block.commands.push_back({"Accept them", command});
  }
  const bool excused = std::any_of(block.items.begin(), block.items.end(),
                                   [](const PageItem& item) { return item.label == waiver_label; });
  if (excused || !found.list.empty()) section.tone = Tone::unsure;
  if (!block.items.empty()) section.blocks.push_back(std::move(block));
  return section;
}

/// What the tree changes of its limits, before any verdict.
PageSection limits_section(const RunReport& report) {
  PageSection section{.id = "limits"};
  if (!tells_limits(report)) return section;
  const LimitReview& review = *report.limits;
  section.heading = limits_heading(review);
  section.note = loosened_words(report);
  if (loosened_count(review) > 0) section.tone = lacks_consent(review) ? Tone::bad : Tone::unsure;
  PageBlock block{.wide = true};
  if (const std::string advice = consent_advice(review); !advice.empty())
    block.paragraphs.push_back("Consent is missing: " + advice + ".");
  for (const LimitLine& line : first_lines(limit_lines(review), most_listed_limits))
    block.items.push_back({.label = std::string(line.label), .text = line.text});
  section.blocks.push_back(std::move(block));
  return section;
}

Tone tone_of_limit(const LimitVerdict& limit) {
  if (limit.outcome == LimitOutcome::met) return Tone::good;
  if (limit.outcome == LimitOutcome::undecided || limit.outcome == LimitOutcome::not_judged) return Tone::unsure;
  return limit.limit.kind == AbsoluteLimitKind::target ? Tone::plain : Tone::bad;
}

/// The floors, budgets and targets of every case, also of those that pass.
PageSection absolute_limits_section(const RunReport& report) {
  PageSection section{.id = "absolute-limits", .heading = "Floors, budgets and targets"};
  PageBlock block{.wide = true};
  block.table.caption = "Limits of the policy on the values themselves; a target changes no verdict";
  block.table.columns = {{"case"}, {"kind"}, {"limit"}, {"answer"}, {"what was measured"}};
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    const Outcome& outcome = report.outcomes[i];
    for (const LimitVerdict& limit : outcome.verdict.limits) {
      block.table.rows.push_back(
          {{.text = case_title(outcome), .target = passed_or_skipped(outcome) ? "" : section_id(i)},
           {.text = std::string(name_of(limit.limit.kind))},
           {.text = asked_text(limit.limit)},
           {.text = std::string(outcome_text(limit)), .tone = tone_of_limit(limit)},
           {.text = measured_text(limit)}});
    }
  }
  section.blocks.push_back(std::move(block));
  return section;
}

void add_if_filled(PageSection section, Page& page) {
  const bool filled = std::any_of(section.blocks.begin(), section.blocks.end(), [](const PageBlock& block) {
    return !block.table.rows.empty() || !block.items.empty() || !block.chart.empty() || !block.paragraphs.empty();
  });
  if (filled) page.sections.push_back(std::move(section));
}

}  // namespace

Page gate_page(const GatePageInput& input) {
  const RunReport& report = input.report;
  const std::string gpu = emulated_gpu_of(report);
  Page page{.title = "stepgate: " + tally(report) + (gpu.empty() ? "" : " (" + gpu + ")"),
            .counts = answer_counts(report),
            .facts = answer_facts(report),
            .sentences = answer_sentences(input),
            .sections = {},
            .footer = {}};
  add_if_filled(limits_section(report), page);
  add_if_filled(worst_first_section(input), page);
  const auto told = static_cast<std::size_t>(std::count_if(report.outcomes.begin(), report.outcomes.end(),
                                                           [](const auto& one) { return !passed_or_skipped(one); }));
  add_if_filled(absolute_limits_section(report), page);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    if (passed_or_skipped(report.outcomes[i])) continue;
    const bool many = told > open_cases;
    const bool detailed = !many || shown < open_cases;
    page.sections.push_back(case_section(input, {report.outcomes[i], section_id(i), detailed, many}));
    ++shown;
  }
  add_if_filled(notice_section(input), page);
  add_if_filled(passed_section(input), page);
  page.footer = {
      "Red means: the change is beyond the margin that is ignored, shown with the level of the policy. An unchanged "
      "suite goes red in at most 5 % of its runs.",
      "Pass means: a change of the size that matters was ruled out. Too little evidence is inconclusive, never a pass.",
      "On this page \"+\" is worse for every metric. verdict.json beside the measurements is authoritative; there a "
      "change is how the value moved."};
  return page;
}

}  // namespace stepgate
