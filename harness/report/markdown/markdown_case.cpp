#include "report/markdown/markdown_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/gate/console_report.h"
#include "report/gate/failure_groups.h"
#include "report/gate/finding_sources.h"
#include "report/gate/metric_cells.h"
#include "report/gate/waivers_in_effect.h"
#include "report/markdown/markdown_table.h"
#include "report/text/clean_text.h"
#include "report/text/markdown_text.h"
#include "report/text/sparkline.h"

namespace stepgate {
namespace {

constexpr std::size_t widest_line = 200;
/// A shortened command would do something else: a longer one is only in verdict.json.
constexpr std::size_t longest_command = 4000;

MarkdownPart part_of(int rank, std::string_view noun) {
  return {.rank = rank, .opening = "", .items = {}, .closing = "", .noun = std::string(noun), .share = 1};
}

MarkdownPart heading_of(const Outcome& outcome) {
  MarkdownPart part = part_of(2, "case");
  part.opening = fmt::format("\n### {}: {}\n", markdown_case_name(outcome), status_text(outcome.verdict.status));
  if (!outcome.verdict.detail.empty()) part.opening += "\n" + markdown_text(outcome.verdict.detail) + "\n";
  return part;
}

std::string bullet(std::string_view label, const std::string& message, const std::string& advice,
                   const std::string& sources = "") {
  std::string text = fmt::format("- **{}** {}", label, markdown_text(message));
  if (!sources.empty()) text += "<br>" + markdown_text(sources);
  if (!advice.empty()) text += "<br>" + markdown_text(advice);
  return text + "\n";
}

/// Causes before warnings; what differs in the environment has a label of its own.
MarkdownPart findings_of(const Outcome& outcome) {
  MarkdownPart part = part_of(3, "finding");
  part.opening = "\n";
  for (Severity severity : {Severity::cause, Severity::warning, Severity::note}) {
    for (const Finding& finding : outcome.findings) {
      if (finding.severity != severity || names_waiver(finding) || repeats_failures(finding, outcome)) continue;
      if (severity == Severity::note && (outcome.verdict.status != Status::improved || is_observation(finding)))
        continue;
      const auto label =
          finding.code.is(FindingNature::of_environment) ? std::string_view("environment") : name_of(severity);
      part.items.push_back(bullet(label, finding.message, finding.advice, further_sources(finding)));
    }
  }
  for (const FailureGroup& group : failure_groups(outcome)) {
    part.items.push_back(bullet("failure", group.sentence(), ""));
  }
  return part;
}

std::string range_text(MetricUnit unit, const std::vector<double>& values) {
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  if (*lowest == *highest) return quantity_text(unit, *lowest);
  return fmt::format("{} to {}", quantity_text(unit, *lowest), quantity_text(unit, *highest));
}

std::string plot_line(const MetricBackground& background) {
  const std::string blocks = sparkline(background.sessions, background.now);
  if (blocks.empty() || background.sessions.empty() || background.now.empty()) return "";
  const Metric* metric = find_metric(background.metric);
  const MetricUnit unit = metric == nullptr ? MetricUnit::none : metric->unit;
  const std::string label = metric == nullptr ? shortened(background.metric, 40, false) : label_of(background.metric);
  return fmt::format("{}  {}  {}: {}, now: {}", padded_right(label, 16), blocks,
                     counted(background.sessions.size(), "session"), range_text(unit, background.sessions),
                     range_text(unit, background.now));
}

/// Timed metrics that are red or open, each with its stored sessions before and its processes now.
MarkdownPart plots_of(const Outcome& outcome) {
  MarkdownPart part = part_of(5, "plot");
  std::vector<std::string> lines;
  for (const MetricVerdict& verdict : outcome.verdict.metrics) {
    const bool wanted =
        verdict.status == Status::regressed || (verdict.gating && verdict.status == Status::inconclusive);
    for (const MetricBackground& background : outcome.backgrounds) {
      if (!wanted || background.metric != verdict.metric || background.scope != verdict.scope) continue;
      if (std::string line = plot_line(background); !line.empty()) lines.push_back(std::move(line));
    }
  }
  if (!lines.empty()) part.opening = "\n" + markdown_fence("", lines);
  return part;
}

void add_command(std::string_view what, const std::string& command, std::vector<std::string>& lines) {
  if (command.empty()) return;
  if (command.size() > longest_command) {
    lines.push_back(fmt::format("# {}: {} characters long, in verdict.json", what, command.size()));
    return;
  }
  lines.push_back(fmt::format("# {}", what));
  lines.push_back(command);
}

MarkdownPart commands_of(const Outcome& outcome) {
  MarkdownPart part = part_of(2, "command");
  std::vector<std::string> lines;
  add_command("reproduce", outcome.reproduce_command, lines);
  add_command("accept, where the change was meant", outcome.accept_command, lines);
  if (!lines.empty()) part.opening = "\n" + markdown_fence("sh", lines);
  return part;
}

/// The end of what a failed process printed.
MarkdownPart outputs_of(const Outcome& outcome) {
  MarkdownPart part = part_of(6, "output");
  for (const FailureGroup& group : failure_groups(outcome)) {
    std::vector<std::string> lines = last_lines_without_frames(group.first.output_tail, shown_output_lines);
    for (std::string& line : lines) line = shortened(terminal_text(line, false), widest_line, false);
    if (!lines.empty()) part.items.push_back("\n" + markdown_fence("", lines));
  }
  return part;
}

MarkdownPart environment_of(const Outcome& outcome) {
  MarkdownPart part = part_of(7, "environment");
  std::vector<std::string> lines;
  for (const auto& [key, value] : outcome.fingerprint) {
    lines.push_back(shortened(terminal_text(fmt::format("{} = {}", key, value), false), widest_line, false));
  }
  if (lines.empty()) return part;
  part.opening = "\n<details><summary>Environment of this run</summary>\n";
  if (!outcome.baseline_summary.empty()) {
    const std::string summary = markdown_text(outcome.baseline_summary, 200);
    part.opening += outcome.kind == result_of_pairs
                        ? fmt::format("\nCompared with the {}\n", summary)  // "base build 4be1c0f"
                        : fmt::format("\nBaseline {} {}\n", markdown_code(outcome.baseline_path), summary);
  }
  part.opening += "\n" + markdown_fence("", lines) + "\n</details>\n";
  return part;
}

}  // namespace

std::vector<MarkdownPart> markdown_case(const Outcome& outcome) {
  if (outcome.verdict.status == Status::pass || outcome.verdict.status == Status::skipped) return {};
  std::vector<MarkdownPart> parts = {heading_of(outcome), findings_of(outcome), outputs_of(outcome),
                                     plots_of(outcome),   commands_of(outcome), environment_of(outcome)};
  std::erase_if(parts, [](const MarkdownPart& part) { return part.items.empty() && part.opening.size() <= 1; });
  return parts;
}

}  // namespace stepgate
