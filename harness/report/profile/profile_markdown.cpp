#include "report/profile/profile_markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/profile/call_cost_text.h"
#include "report/profile/profile_text.h"
#include "report/text/markdown_text.h"

namespace stepgate {
namespace {

using Cells = std::vector<std::string>;

std::string table_row(const Cells& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

/// `columns_aligned` as Markdown says it: "---" left, "---:" right.
std::string table_head(const Cells& names, const Cells& columns_aligned) {
  return "\n" + table_row(names) + table_row(columns_aligned);
}

std::string sentence(const std::vector<std::string>& words) {
  return words.empty() ? "" : markdown_text(fmt::format("{}", fmt::join(words, ", "))) + "\n";
}

std::string head_of(const Profile& profile) {
  std::string text = fmt::format("# Profile of {}\n\n", markdown_code(profile.case_name));
  if (const std::string params = params_text(profile); !params.empty()) text += "with " + markdown_code(params) + "; ";
  text += fmt::format("{}, {} of {}, {}, {:.0f} s, {}", markdown_text(name_of(profile.device)),
                      counted(profile.threads, "thread"), counted(profile.cpus, "CPU"),
                      counted(profile.processes, "process", "processes"), std::ceil(profile.seconds), profile.utc);
  text += profile.commit.empty() ? "\n" : ", commit " + markdown_code(short_commit(profile.commit)) + "\n";
  if (const std::string told = emulated_text(profile); !told.empty()) text += "\n" + markdown_text(told) + "\n";
  if (!profile.stopped.empty()) text += "\n**Stopped:** " + markdown_text(profile.stopped) + "\n";
  if (profile.interrupted) text += "\n**Interrupted:** only what was measured until then is here.\n";
  return text;
}

std::string baseline_of(const Profile& profile) {
  const auto steps = step_texts(profile);
  if (steps.empty()) return "";
  std::string text = "\n## 1 Baseline\n\n" + sentence(steps);
  if (const std::string rates = sentence(rate_texts(profile)); !rates.empty()) text += "\n" + rates;
  return text;
}

std::string account_of(const Profile& profile) {
  if (profile.account.empty()) return "";
  std::string text = table_head({"part of the step", "ms", "share"}, {"---", "---:", "---:"});
  for (const AccountPart& part : profile.account) {
    text += table_row({markdown_text(part.label), ms_text(part.ns), short_share(part.share)});
  }
  return text;
}

std::string experiments_of(const Profile& profile) {
  std::string rows;
  for (const ExperimentResult& result : profile.experiments) {
    if (!result.effect) continue;
    rows += table_row({std::string(name_of(result.experiment)), std::string(row_of(result.experiment).says),
                       effect_text(result), proof_text(result), markdown_text(result.remark)});
  }
  if (!rows.empty()) {
    rows = table_head({"experiment", "what is done", "effect on the step", "word", "remark"},
                      {"---", "---", "---", "---", "---"}) +
           rows;
  }
  const auto not_run = not_run_texts(profile);
  if (!not_run.empty()) rows += "\nNot run:\n\n";
  for (const std::string& one : not_run) rows += "- " + markdown_text(one) + "\n";
  return rows;
}

std::string kind_of(const Profile& profile) {
  if (profile.account.empty() && profile.bottlenecks.empty()) return "";
  std::string text = "\n## 2 Kind of bottleneck\n\n";
  if (const std::string headline = headline_text(profile); !headline.empty()) text += markdown_text(headline) + "\n\n";
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    text +=
        fmt::format("- **{}**, {}: {}\n", name_of(verdict.kind), name_of(verdict.proof), markdown_text(verdict.says));
  }
  return text + account_of(profile) + experiments_of(profile);
}

std::string component_of(const Profile& profile) {
  double whole = 0;
  for (const auto& [boundary, ns] : profile.components) whole += ns;
  if (!(whole > 0) && !profile.memory && profile.boundary_memory.empty()) return "";
  std::string text = "\n## 3 Component\n";
  if (whole > 0) text += table_head({"boundary", "ms", "share"}, {"---", "---:", "---:"});
  for (const std::string& boundary : boundaries_in_order(profile)) {
    if (!(whole > 0)) break;
    const double ns = profile.components.at(boundary);
    text += table_row({markdown_text(boundary), ms_text(ns), short_share(ns / whole)});
  }
  if (profile.memory) text += "\n" + markdown_text(ledger_text(*profile.memory)) + "\n";
  const auto memory = boundary_memory_lines(profile);
  if (!memory.empty()) {
    text += "\n" + table_head({"memory", "at the end", "peak within", "reserved"}, {"---", "---:", "---:", "---:"});
  }
  for (const BoundaryMemoryLine& line : memory) {
    text += table_row({markdown_text(line.boundary), line.after, line.peak, line.reserved});
  }
  return text;
}

std::string operators_of(const Profile& profile, const OperatorView& view) {
  if (profile.operators.empty()) return "";
  std::string text = "\n## 4 Operators\n" + table_head({"self ms", "calls", "% of its roof", "in", "operator", "where"},
                                                       {"---:", "---:", "---:", "---", "---", "---"});
  const auto lines = operator_lines(profile.operators, view_of(profile, view));
  for (std::size_t i = 0; i < std::min(view.rows, lines.size()); ++i) {
    const OperatorLine& line = lines[i];
    text += table_row({self_time_text(profile, line.self_ns), calls_text(line), roof_text(line),
                       markdown_text(line.boundary), markdown_code(line.name), markdown_text(line.where)});
  }
  if (lines.size() > view.rows) text += fmt::format("\n{} more in profile.json.\n", lines.size() - view.rows);
  text += fmt::format("\n{}{}.\n",
                      have_roofs(lines) ? "c: FLOPs make its roof, b: bandwidth, o: mostly the price of a call. " : "",
                      markdown_text(observer_text(profile)));
  for (const std::string& low : profile.low_roofs) text += "\n" + markdown_text(low) + ".\n";
  if (profile.without_formula.empty()) return text;
  return text + fmt::format("\nNo FLOP formula: {}\n",
                            markdown_text(fmt::format("{}", fmt::join(profile.without_formula, ", "))));
}

std::string call_costs_of(const Profile& profile) {
  if (profile.call_costs.empty()) return "";
  std::string text = "\n## What calls cost\n";
  const auto lines = call_cost_lines(profile);
  if (!lines.empty()) {
    text += table_head({"place", "calls a step", "seen by the observer", "the step when they run twice", "word"},
                       {"---", "---:", "---:", "---", "---"});
  }
  for (const CallCostLine& line : lines) {
    text += table_row(
        {markdown_code(line.place), line.calls, line.observed, line.effect, std::string(name_of(line.proof))});
  }
  if (!lines.empty()) text += fmt::format("\n{}.\n", call_cost_meaning);
  const auto without = no_call_cost_texts(profile);
  if (!without.empty()) text += "\nNot measured:\n\n";
  for (const std::string& one : without) text += "- " + markdown_text(one) + "\n";
  return text;
}

std::string advice_of(const Profile& profile) {
  if (profile.advice.empty()) return "";
  std::string text =
      "\n## Advice\n" + table_head({"worth", "how sure", "what", "evidence"}, {"---:", "---", "---", "---"});
  for (const Advice& advice : profile.advice) {
    text += table_row({advice.worth > 0 ? short_share(advice.worth) : "-", std::string(name_of(advice.proof)),
                       markdown_text(advice.text), markdown_text(evidence_text(advice))});
  }
  return text;
}

std::string checklist_of(const Profile& profile) {
  if (profile.checklist.empty()) return "";
  std::string text = fmt::format("\n## Checklist\n\n{}\n", markdown_text(checklist_text(profile.checklist)));
  text += table_head({"list", "question", "answer", "evidence"}, {"---", "---", "---", "---"});
  for (const ChecklistEntry& entry : profile.checklist) {
    text += table_row({markdown_text(entry.list), markdown_text(entry.id + ": " + entry.asks),
                       std::string(name_of(entry.answer)), markdown_text(entry.evidence)});
  }
  return text;
}

std::string missing_of(const Profile& profile) {
  std::string text;
  for (const auto& [part, reason] : profile.absent) {
    text += fmt::format("- {}: {}\n", markdown_text(part), markdown_text(reason));
  }
  return text.empty() ? "" : "\n## Missing\n\n" + text;
}

}  // namespace

std::string render_profile_markdown(const Profile& profile, const OperatorView& view) {
  return head_of(profile) + baseline_of(profile) + kind_of(profile) + component_of(profile) +
         operators_of(profile, view) + call_costs_of(profile) + advice_of(profile) + checklist_of(profile) +
         missing_of(profile);
}

}  // namespace stepgate
