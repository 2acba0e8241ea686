#include "report/page/case_section.h"

#include <fmt/format.h>

#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/gate/console_report.h"
#include "report/gate/failure_groups.h"
#include "report/gate/metric_cells.h"
#include "report/gate/waivers_in_effect.h"
#include "report/page/change_block.h"
#include "report/page/gate_case.h"
#include "report/page/page_chart.h"
#include "report/page/source_link.h"
#include "report/page/worse_change.h"
#include "report/text/case_title.h"

namespace stepgate {
namespace {

PageItem item_of(const Finding& finding, const PublishedCode& code) {
  return {.label = finding.severity == Severity::cause ? "" : std::string(finding_label(finding)),
          .text = finding.message,
          .places = source_links(finding.sources, code),
          .advice = finding.advice};
}

/// Causes before warnings, notes last; what differs in the environment has a block of its own.
PageBlock why_block(const GatePageInput& input, const Outcome& outcome) {
  PageBlock block{.heading = first_cause(outcome) != nullptr    ? "Cause"
                             : !failure_groups(outcome).empty() ? "What failed"
                                                                : "Notes"};
  if (outcome.losses) block.paragraphs.push_back("losses " + text_of(*outcome.losses));
  const CaseEvidence* evidence = evidence_of(input.evidence, outcome);
  const bool rows_of_nodes = evidence != nullptr && evidence->nodes.size() > 1;  // the same numbers, drawn
  for (Severity severity : {Severity::cause, Severity::warning, Severity::note}) {
    for (const Finding& finding : outcome.findings) {
      if (finding.severity != severity || finding.code.is(FindingNature::of_environment) ||
          repeats_failures(finding, outcome)) {
        continue;
      }
      if (finding.code == FindingCode::nodes && rows_of_nodes) continue;
      block.items.push_back(item_of(finding, published_code(input)));
    }
  }
  for (const FailureGroup& group : failure_groups(outcome)) {
    block.items.push_back({.label = "failure", .text = group.sentence()});
  }
  return block;
}

/// The history of the metric that decides the case.
PageBlock history_block(const GatePageInput& input, const GateCase& one) {
  PageBlock block;
  const CaseVerdict& verdict = one.outcome.verdict;
  const MetricVerdict* metric = deciding_metric(verdict);
  const MetricHistory* history =
      metric == nullptr ? nullptr : history_of(input.histories, verdict.case_name, metric->metric);
  if (history == nullptr) return block;
  const DrawnHistory drawn{*history, metric->current, tone_of(metric->status)};
  block.heading = "History of the " + label_of(metric->metric);
  block.chart = history_line({one.id + "-history", block.heading + " of " + verdict.case_name}, drawn);
  if (!block.chart.empty()) {
    block.paragraphs = {history_words(drawn),
                        "Diamond: this run; hollow: left out as a spike; dashed: a new level begins."};
  }
  if (!history->note.empty()) block.paragraphs.push_back(history->note);
  return block;
}

std::string kind_bytes(const MemoryLedger* ledger, const std::string& kind) {
  if (ledger == nullptr) return "";
  const auto found = ledger->bytes.find(kind);
  return bytes_text(found == ledger->bytes.end() ? 0 : static_cast<double>(found->second));
}

double kind_change(const CaseEvidence& evidence, const std::string& kind) {
  const auto of = [&](const MemoryLedger& ledger) {
    const auto found = ledger.bytes.find(kind);
    return found == ledger.bytes.end() ? 0.0 : static_cast<double>(found->second);
  };
  return of(*evidence.memory) - of(*evidence.base_memory);
}

PageBlock memory_block(const GatePageInput& input, const GateCase& one) {
  PageBlock block;
  const CaseEvidence* evidence = evidence_of(input.evidence, one.outcome);
  if (evidence == nullptr || !evidence->memory) return block;
  const MemoryLedger* base = evidence->base_memory ? &*evidence->base_memory : nullptr;
  std::vector<LedgerBar> bars;
  if (base != nullptr) bars.push_back({"base", *base});
  bars.push_back({"now", *evidence->memory});
  block.heading = "Memory at the peak, in " + evidence->memory->boundary;
  block.chart = ledger_bars({one.id + "-memory", block.heading + ", " + one.outcome.verdict.case_name}, bars);
  block.table.columns = {{"kind"}, {"base", true}, {"now", true}, {"change, + is worse", true}};
  for (const LedgerKind& kind : ledger_kinds(bars)) {
    const double change = base == nullptr ? 0 : kind_change(*evidence, kind.kind);
    const std::string text = base == nullptr ? "" : change == 0 ? "=" : difference_text(MetricUnit::bytes, change);
    block.table.rows.push_back({{.text = kind.kind, .swatch = kind.style},
                                {.text = kind_bytes(base, kind.kind)},
                                {.text = kind_bytes(&*evidence->memory, kind.kind)},
                                {.text = text}});
  }
  return block;
}

PageBlock difference_block(const GatePageInput& input, const Outcome& outcome) {
  PageBlock block{.heading = "What else differs"};
  for (const Finding& finding : outcome.findings) {
    if (finding.code.is(FindingNature::of_environment)) block.items.push_back(item_of(finding, published_code(input)));
  }
  if (block.items.empty()) block.paragraphs = {"Nothing that the comparison depends on."};
  return block;
}

std::vector<PageBlock> output_blocks(const Outcome& outcome) {
  std::vector<PageBlock> blocks;
  for (const FailureGroup& group : failure_groups(outcome)) {
    auto lines = last_lines_without_frames(group.first.output_tail, shown_output_lines);
    if (!lines.empty())
      blocks.push_back({.heading = "Last output of the failed process", .wide = true, .lines = lines});
  }
  return blocks;
}

PageBlock command_block(const Outcome& outcome) {
  PageBlock block{.heading = "What to do", .wide = true};
  if (!outcome.reproduce_command.empty()) block.commands.push_back({"Reproduce", outcome.reproduce_command});
  if (!outcome.accept_command.empty())
    block.commands.push_back({"Accept the change, if it is meant", outcome.accept_command});
  return block;
}

bool stands_out(const MetricVerdict& metric) {
  return metric.status == Status::regressed || metric.status == Status::failed ||
         (metric.gating && metric.status != Status::pass && metric.status != Status::skipped);
}

PageBlock metric_block(const GateCase& one) {
  PageBlock block{.folded = true, .wide = true};
  const auto& metrics = one.outcome.verdict.metrics;
  block.table.columns = {{"metric"},
                         {"verdict"},
                         {"base \xE2\x86\x92 now", true},
                         {"change, + is worse", true},
                         {"interval", true},
                         {"limit of the value", true},
                         {"detail"}};
  for (const MetricVerdict& metric : metrics) {
    if (!one.detailed && !stands_out(metric)) continue;
    const std::string name = label_of(metric.metric);
    block.table.rows.push_back({{.text = metric.gating ? name : name + " (explains)"},
                                {.text = verdict_text(metric), .tone = tone_of(metric.status)},
                                {.text = values_text(metric)},
                                {.text = worse_text(metric)},
                                {.text = worse_interval_text(metric)},
                                {.text = metric.limit},
                                {.text = metric.detail}});
  }
  const std::size_t shown = block.table.rows.size();
  block.heading = shown == metrics.size() ? fmt::format("All {}", counted(shown, "metric"))
                                          : fmt::format("{} of {}; the others are in verdict.json", shown,
                                                        counted(metrics.size(), "metric"));
  return block;
}

PageBlock evidence_block(const GatePageInput& input, const Outcome& outcome) {
  PageBlock block{.heading = "Evidence and noise", .folded = true, .wide = true};
  if (outcome.seconds > 0)
    block.paragraphs.push_back(fmt::format("{} of measured processes", duration_text(outcome.seconds * 1e9)));
  const char* against = outcome.kind == result_of_pairs ? "against the " : "baseline: ";  // pairs: "base build 4be1c0f"
  if (!outcome.baseline_summary.empty()) block.paragraphs.push_back(against + outcome.baseline_summary);
  if (outcome.batch_lengths) {
    block.paragraphs.push_back(fmt::format("batches, steps x tokens a sample: {}; {} of the tokens are padding",
                                           bins_text(*outcome.batch_lengths),
                                           share_text(outcome.batch_lengths->padding_ratio)));
  }
  const CaseEvidence* evidence = evidence_of(input.evidence, outcome);
  if (evidence != nullptr && evidence->tainted_pairs > 0) {
    block.paragraphs.push_back(
        fmt::format("{} discarded for interference from outside", counted(evidence->tainted_pairs, "pair")));
  }
  block.table.caption =
      "Times of this run: steps of a process depend on each other, so this describes and proves nothing";
  block.table.columns = {{"time"}, {"values", true}, {"median", true}, {"mean", true}, {"p95", true}, {"max", true}};
  for (const StepDistribution& one : outcome.distributions) {
    block.table.rows.push_back({{.text = one.what},
                                {.text = fmt::format("{} {}", one.n, name_of(one.unit))},
                                {.text = duration_text(one.median_ns)},
                                {.text = duration_text(one.mean_ns)},
                                {.text = one.p95_ns ? duration_text(*one.p95_ns) : "-"},
                                {.text = duration_text(one.max_ns)}});
  }
  return block;
}

PageBlock fingerprint_block(const Outcome& outcome) {
  PageBlock block{.heading = "Environment of this run", .folded = true, .wide = true};
  for (const auto& [key, value] : outcome.fingerprint) block.lines.push_back(fmt::format("{} = {}", key, value));
  return block;
}

bool says_something(const PageBlock& block) {
  return !block.paragraphs.empty() || !block.chart.empty() || !block.items.empty() || !block.table.rows.empty() ||
         !block.lines.empty() || !block.commands.empty();
}

std::string case_note(const GatePageInput& input, const Outcome& outcome) {
  std::string note = outcome.verdict.detail;
  const CaseEvidence* evidence = evidence_of(input.evidence, outcome);
  const MetricVerdict* metric = drawn_metric(outcome.verdict);
  if (evidence == nullptr || metric == nullptr) return note;
  const auto found = evidence->pairs.find(metric->metric);
  if (found == evidence->pairs.end()) return note;
  return note + (note.empty() ? "" : " \xC2\xB7 ") + counted(found->second.size(), "clean pair");
}

}  // namespace

PageSection case_section(const GatePageInput& input, const GateCase& one) {
  const Outcome& outcome = one.outcome;
  PageSection section{.id = one.id,
                      .tone = tone_of(outcome.verdict.status),
                      .heading = fmt::format("{}: {}", case_title(outcome), status_text(outcome.verdict.status)),
                      .note = case_note(input, outcome),
                      .folded = one.folded};
  std::vector<PageBlock> blocks = {change_block(input, one), why_block(input, outcome)};
  for (PageBlock& block : output_blocks(outcome)) blocks.push_back(std::move(block));
  blocks.push_back(command_block(outcome));
  if (one.detailed) {
    blocks.push_back(history_block(input, one));
    blocks.push_back(memory_block(input, one));
  }
  if (outcome.verdict.status == Status::regressed || outcome.verdict.status == Status::inconclusive) {
    blocks.push_back(difference_block(input, outcome));
  }
  blocks.push_back(metric_block(one));
  if (one.detailed) {
    blocks.push_back(evidence_block(input, outcome));
    blocks.push_back(fingerprint_block(outcome));
  }
  for (PageBlock& block : blocks) {
    if (says_something(block)) section.blocks.push_back(std::move(block));
  }
  return section;
}

}  // namespace stepgate
