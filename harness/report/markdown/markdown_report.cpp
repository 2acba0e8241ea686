#include "report/markdown/markdown_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/judged/emulated_result.h"
#include "core/text/commit_text.h"
#include "report/gate/judged_text.h"
#include "report/gate/limit_lines.h"
#include "report/gate/new_metrics.h"
#include "report/gate/tally.h"
#include "report/gate/waivers_in_effect.h"
#include "report/markdown/markdown_case.h"
#include "report/markdown/markdown_table.h"
#include "report/text/markdown_text.h"

namespace stepgate {
namespace {

std::string age_text(std::int64_t seconds) {
  if (seconds < 3600) return fmt::format("{} min", std::max<std::int64_t>(0, seconds) / 60);
  if (seconds < std::int64_t{48} * 3600) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} days", seconds / 86400);
}

/// "baseline `9f2c1` (12 days old)"; for several, their number and the span of their ages; for pairs "base build
/// `9f2c1`".
std::string baselines_text(const RunReport& report) {
  std::set<std::string> commits;
  std::set<std::int64_t> ages;
  for (const Outcome& outcome : report.outcomes) {
    if (!outcome.baseline_commit.empty()) commits.insert(outcome.baseline_commit);
    if (outcome.baseline_age_s) ages.insert(*outcome.baseline_age_s);
  }
  const bool pairs = is_of_two_builds(report);
  if (pairs && commits.size() == 1) return "base build " + markdown_code(short_commit(*commits.begin()), 40);
  if (commits.empty() && ages.empty()) return pairs ? "pairs of two builds" : "no baseline";
  std::string text = commits.size() > 1 ? fmt::format("baselines of {} commits", commits.size()) : "baseline";
  if (commits.size() == 1) text += " " + markdown_code(short_commit(*commits.begin()), 40);
  if (ages.empty()) return text;
  const std::string youngest = age_text(*ages.begin());
  const std::string oldest = age_text(*ages.rbegin());
  return text +
         (youngest == oldest ? fmt::format(" ({} old)", oldest) : fmt::format(" ({} to {} old)", youngest, oldest));
}

MarkdownPart verdict_line(const RunReport& report) {
  std::string text = fmt::format("**{}**", markdown_text(tally(report)));
  if (!report.runner_class.empty()) text += " · runner class " + markdown_code(report.runner_class, 60);
  text += " · " + baselines_text(report) + "\n";
  if (const std::string told = emulated_sentence(report); !told.empty()) text += "\n" + markdown_text(told) + "\n";
  std::string origin;
  const auto add = [&](const std::string& part) { origin += (origin.empty() ? "" : " · ") + part; };
  if (!report.commit.empty()) add("commit " + markdown_code(short_commit(report.commit), 60));
  if (!report.utc.empty()) add(markdown_text(report.utc, 40));
  if (!report.stepgate_version.empty()) add("stepgate " + markdown_text(report.stepgate_version, 40));
  if (!origin.empty()) text += "\n<sub>" + origin + "</sub>\n";
  return {.rank = 0, .opening = text, .items = {}, .closing = "", .noun = "verdict", .share = 1};
}

/// Which halves were judged, and why the others were not.
MarkdownPart judged_part(const RunReport& report) {
  MarkdownPart part{
      .rank = 1, .opening = "\n", .items = {}, .closing = "", .noun = "line on what was judged", .share = 1};
  for (const std::string& line : judged_lines(report)) part.items.push_back("- " + markdown_text(line) + "\n");
  if (const std::string sentence = judging_sentence(report); !sentence.empty())
    part.closing = fmt::format("\n{}\n{}", markdown_text(sentence), markdown_fence("sh", {report.judging.text}));
  return part;
}

MarkdownPart new_metrics_part(const NewMetrics& found) {
  MarkdownPart part{.rank = 4, .opening = "", .items = {}, .closing = "", .noun = "list of new metrics", .share = 1};
  part.opening = fmt::format("\n### Not judged: new metrics\n\n{}<br>{}\n", markdown_text(found.list, 2000),
                             markdown_text(std::string(new_metrics_meaning)));
  if (!found.commands.empty()) part.opening += "\n" + markdown_fence("sh", found.commands);
  return part;
}

/// What the tree changes of its limits. A long list takes at most half of the room.
MarkdownPart limits_part(const LimitReview& review) {
  MarkdownPart part{.rank = 1,
                    .opening = fmt::format("\n### {}\n\n", markdown_text(limits_heading(review))),
                    .items = {},
                    .closing = "",
                    .noun = "changed limit",
                    .share = 0.5};
  if (const std::string advice = consent_advice(review); !advice.empty())
    part.opening += fmt::format("**Consent is missing**: {}\n\n", markdown_text(advice));
  if (!review.allowed_by.empty() && loosened_count(review) > 0)
    part.opening += fmt::format("Allowed by {}.\n\n", markdown_text(review.allowed_by));
  for (const LimitLine& line : limit_lines(review)) {
    const std::string label = line.loosens ? fmt::format("**{}**", line.label) : std::string(line.label);
    part.items.push_back(fmt::format("- {}: {}\n", label, markdown_text(line.text)));
  }
  return part;
}

/// The waivers of every case, also of those that pass.
MarkdownPart waivers_part(const RunReport& report) {
  MarkdownPart part{
      .rank = 1, .opening = "\n### Waivers in effect\n\n", .items = {}, .closing = "", .noun = "waiver", .share = 1};
  for (const Outcome& outcome : report.outcomes) {
    for (const std::string& line : waivers_in_effect(outcome)) {
      part.items.push_back(fmt::format("- {}: {}\n", markdown_case_name(outcome), markdown_text(line)));
    }
  }
  return part;
}

/// The floors, budgets and targets of every case, also of those that pass. What is not met stands out.
MarkdownPart absolute_limits_part(const RunReport& report) {
  MarkdownPart part{.rank = 2,
                    .opening = "\n### Floors, budgets and targets\n\n",
                    .items = {},
                    .closing = "",
                    .noun = "limit",
                    .share = 0.5};
  for (const Outcome& outcome : report.outcomes) {
    for (const LimitVerdict& limit : outcome.verdict.limits) {
      const std::string kind(name_of(limit.limit.kind));
      const std::string label = limit.outcome == LimitOutcome::met ? kind : fmt::format("**{}**", kind);
      part.items.push_back(
          fmt::format("- {}: {}: {}\n", markdown_case_name(outcome), label, markdown_text(text_of(limit))));
    }
  }
  return part;
}

/// The observations of every case, also of those that pass.
MarkdownPart observations_part(const RunReport& report) {
  MarkdownPart part{
      .rank = 2, .opening = "\n### Observed\n\n", .items = {}, .closing = "", .noun = "observation", .share = 1};
  for (const Outcome& outcome : report.outcomes) {
    for (const Finding& finding : outcome.findings) {
      if (!is_observation(finding)) continue;
      part.items.push_back(fmt::format("- {}: {}; {}\n", markdown_case_name(outcome), markdown_text(finding.message),
                                       markdown_text(finding.advice)));
    }
  }
  return part;
}

/// Up to which step every case was judged, also those that pass.
MarkdownPart losses_part(const RunReport& report) {
  MarkdownPart part{.rank = 6,
                    .opening = "\n<details><summary>Losses: up to which step they were judged</summary>\n\n",
                    .items = {},
                    .closing = "\n</details>\n",
                    .noun = "line on losses",
                    .share = 1};
  for (const Outcome& outcome : report.outcomes) {
    if (!outcome.losses) continue;
    part.items.push_back(fmt::format("- {}: {}\n", markdown_case_name(outcome), text_of(*outcome.losses)));
  }
  return part;
}

}  // namespace

std::string render_markdown(const RunReport& report, const MarkdownStyle& style) {
  std::vector<MarkdownPart> parts = {verdict_line(report)};
  if (tells_limits(report)) parts.push_back(limits_part(*report.limits));
  const auto add_table = [&](MarkdownPart table) {
    if (!table.items.empty()) parts.push_back(std::move(table));
  };
  add_table(judged_part(report));
  add_table(problem_table(report));
  if (MarkdownPart waivers = waivers_part(report); !waivers.items.empty()) parts.push_back(std::move(waivers));
  for (const Outcome& outcome : report.outcomes) {
    for (MarkdownPart& part : markdown_case(outcome)) parts.push_back(std::move(part));
  }
  add_table(absolute_limits_part(report));
  if (MarkdownPart observed = observations_part(report); !observed.items.empty()) parts.push_back(std::move(observed));
  const NewMetrics found = new_metrics(report);
  if (!found.list.empty()) parts.push_back(new_metrics_part(found));
  add_table(folded_table(report));
  add_table(losses_part(report));
  return fitted(parts, style.max_bytes, "verdict.json among the artefacts of this run holds everything.");
}

}  // namespace stepgate
