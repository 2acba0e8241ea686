#include "report/profile/profile_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/profile/call_cost_text.h"
#include "report/profile/census_text.h"
#include "report/profile/operator_block.h"
#include "report/profile/page_block.h"
#include "report/profile/profile_text.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t block_gap = 2;

/// Proven and likely stand out; colour only repeats the word.
Status colour_status(Proof proof) {
  switch (proof) {
    case Proof::proven:
      return Status::regressed;
    case Proof::refuted:
      return Status::pass;
    default:
      return Status::inconclusive;
  }
}

std::string title_of(const Profile& profile) {
  std::vector<std::string> parts = {fmt::format("profile  {}", profile.case_name),
                                    fmt::format("{}, {} of {}", name_of(profile.device),
                                                counted(profile.threads, "thread"), counted(profile.cpus, "CPU")),
                                    counted(profile.processes, "process", "processes"),
                                    fmt::format("{:.0f} s", std::ceil(profile.seconds))};
  if (!profile.commit.empty()) parts.push_back(short_commit(profile.commit));
  if (const std::string params = params_text(profile); !params.empty()) parts.insert(parts.begin() + 1, params);
  return fmt::format("{}", fmt::join(parts, "   "));
}

/// Words of a line with two spaces between them, on as many lines as they need.
std::vector<std::string> joined_words(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& word : words) {
    if (lines.empty() || columns(lines.back()) + 2 + columns(word) > width) {
      lines.push_back(word);
    } else {
      lines.back() += "  " + word;
    }
  }
  return lines;
}

void add_baseline(const Profile& profile, ConsolePage& page) {
  const std::size_t width = page_width(page) - page_indent;
  std::vector<std::string> lines = joined_words(step_texts(profile), width);
  for (const std::string& line : joined_words(rate_texts(profile), width)) lines.push_back(line);
  add_lines(page, "1 baseline", lines);
}

std::string share_bar(double share) {
  constexpr double full_bar = 12;
  const double length = std::round(share * full_bar);
  return std::string(length > 0 ? static_cast<std::size_t>(std::min(length, full_bar)) : 0, '#');
}

constexpr std::size_t widest_label = 30;

std::vector<std::string> account_lines(const Profile& profile) {
  std::vector<Cells> rows;
  for (const AccountPart& part : profile.account) {
    rows.push_back({shortened(part.label, widest_label, true), ms_text(part.ns) + " ms",
                    fmt::format("{:.0f} %", 100 * part.share), share_bar(part.share)});
  }
  return table_of(rows, {Align::left, Align::right, Align::right, Align::left});
}

std::vector<std::string> experiment_lines(const Profile& profile) {
  std::vector<Cells> rows;
  for (const ExperimentResult& result : profile.experiments) {
    if (!result.effect) continue;
    rows.push_back({std::string(name_of(result.experiment)), effect_text(result), proof_text(result)});
  }
  return table_of(rows, {Align::left, Align::left, Align::left});
}

/// The account on the left, the experiments on the right; below each other where the page is too narrow.
std::vector<std::string> beside(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::size_t width = 0;
  for (const std::string& line : left) width = std::max(width, columns(line));
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string one = i < left.size() ? left[i] : "";
    lines.push_back(i < right.size() ? padded_right(one, width + block_gap) + right[i] : one);
  }
  return lines;
}

std::string painted_words(const ConsolePage& page, std::string line) {
  if (!page.style().color) return line;
  for (const Proof proof : {Proof::proven, Proof::refuted, Proof::undecided}) {
    const std::string word(name_of(proof));
    const std::size_t at = line.rfind(word);
    if (at == std::string::npos) continue;
    return line.substr(0, at) + page.painted(word, colour_status(proof)) + line.substr(at + word.size());
  }
  return line;
}

void add_kind(const Profile& profile, ConsolePage& page) {
  if (profile.account.empty() && profile.experiments.empty() && profile.bottlenecks.empty()) return;
  const std::string headline = headline_text(profile);
  add_wrapped(page, "2 kind", headline.empty() ? "no kind of bottleneck was seen" : headline);
  const auto account = account_lines(profile);
  const auto experiments = experiment_lines(profile);
  std::vector<std::string> lines = beside(account, experiments);
  const std::size_t width = page_width(page) - page_indent;
  if (std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return columns(line) > width; })) {
    lines = account;
    lines.insert(lines.end(), experiments.begin(), experiments.end());
  }
  for (std::string& line : lines) line = painted_words(page, page.clean(line));
  add_lines(page, "", lines);
  for (const ExperimentResult& result : profile.experiments) {
    if (result.effect && !result.remark.empty())
      add_wrapped(page, "", fmt::format("{}: {}", name_of(result.experiment), result.remark));
  }
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    if (verdict.proof == Proof::refuted) continue;
    add_wrapped(page, "", fmt::format("{}, {}: {}", name_of(verdict.kind), name_of(verdict.proof), verdict.says));
  }
  if (const std::string refuted = refuted_text(profile); !refuted.empty()) add_wrapped(page, "", "refuted: " + refuted);
  if (!page.style().verbose) return;
  for (const std::string& text : not_run_texts(profile)) add_wrapped(page, "", "not run: " + text);
}

void add_component(const Profile& profile, ConsolePage& page) {
  double whole = 0;
  for (const auto& [boundary, ns] : profile.components) whole += ns;
  std::vector<std::string> words;
  for (const std::string& boundary : boundaries_in_order(profile)) {
    const double ns = profile.components.at(boundary);
    if (!(whole > 0)) break;
    words.push_back(page.clean(
        fmt::format("{} {}{} ({})", boundary, ms_text(ns), words.empty() ? " ms" : "", short_share(ns / whole))));
  }
  add_lines(page, "3 component", joined_words(words, page_width(page) - page_indent));
  if (profile.memory) add_wrapped(page, words.empty() ? "3 component" : "", ledger_text(*profile.memory));
  std::vector<Cells> rows;
  for (const BoundaryMemoryLine& line : boundary_memory_lines(profile)) {
    if (rows.empty()) rows.push_back({"memory", "at its end", "peak in it", line.reserved.empty() ? "" : "reserved"});
    rows.push_back({page.clean(line.boundary), line.after, line.peak, line.reserved});
  }
  if (!rows.empty()) add_lines(page, "", table_of(rows, {Align::left, Align::right, Align::right, Align::right}));
}

/// The widest cell of a column, with the gap behind it.
std::size_t column_width(const std::vector<Cells>& rows, std::size_t column) {
  std::size_t width = 0;
  for (const Cells& row : rows) width = std::max(width, columns(row[column]));
  return width + block_gap;
}

std::vector<std::string> call_cost_table(const std::vector<CallCostLine>& costs, const ConsolePage& page) {
  std::vector<Cells> rows = {{"place", "calls", "observed", "run twice", "word"}};
  for (const CallCostLine& cost : costs)
    rows.push_back({cost.place, cost.calls, cost.observed, cost.effect, std::string(name_of(cost.proof))});
  std::size_t used = page_indent;
  for (std::size_t column = 1; column < rows.front().size(); ++column) used += column_width(rows, column);
  constexpr std::size_t least_of_place = 12;
  const std::size_t place_width = std::max(least_of_place, page_width(page) - std::min(page_width(page), used));
  for (Cells& row : rows) row.front() = place_cell(row.front(), place_width, page);
  auto lines = table_of(rows, {Align::left, Align::right, Align::right, Align::left, Align::left});
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const std::string& word = rows[i + 1].back();
    std::string& line = lines[i + 1];
    line = line.substr(0, line.size() - word.size()) + page.painted(word, colour_status(costs[i].proof));
  }
  return lines;
}

void add_call_costs(const Profile& profile, ConsolePage& page) {
  std::string_view label = "calls cost";
  const auto costs = call_cost_lines(profile);
  if (!costs.empty()) {
    add_lines(page, label, call_cost_table(costs, page));
    add_wrapped(page, "", std::string(call_cost_meaning));
    label = "";
  }
  for (const std::string& text : no_call_cost_texts(profile)) {
    add_wrapped(page, label, "not measured: " + text);
    label = "";
  }
}

void add_census(const Profile& profile, ConsolePage& page) {
  if (!profile.census) return;
  std::string_view label = "layout";
  for (const std::string& text : census_texts(*profile.census)) {
    add_wrapped(page, label, text);
    label = "";
  }
}

void add_advice(const Profile& profile, ConsolePage& page) {
  if (profile.advice.empty()) return;
  constexpr std::size_t worth_width = 8;
  constexpr std::size_t proof_width = 11;
  page.line(padded_right("advice", page_indent) + padded_right("worth", worth_width) +
            padded_right("how sure", proof_width) + "what");
  for (const Advice& advice : profile.advice) {
    std::string margin =
        std::string(page_indent, ' ') + padded_right(advice.worth > 0 ? short_share(advice.worth) : "-", worth_width) +
        page.painted(padded_right(std::string(name_of(advice.proof)), proof_width), colour_status(advice.proof));
    const std::size_t width = page_width(page) - page_indent - worth_width - proof_width;
    const std::string evidence = evidence_text(advice);
    const std::string text = advice.text + (evidence.empty() ? "" : fmt::format(" [{}]", evidence));
    for (const std::string& part : wrapped(page.clean(text), width)) {
      page.line(margin + part);
      margin = std::string(page_indent + worth_width + proof_width, ' ');
    }
  }
}

/// A kind of bottleneck without a verdict. Most cases have several, and none of them is missing work.
bool is_kind_of_bottleneck(const std::string& part) { return part.starts_with("bottleneck "); }

void add_end(const Profile& profile, ConsolePage& page) {
  if (!profile.checklist.empty())
    add_wrapped(page, "checklist", checklist_text(profile.checklist) + "; all: --checklist");
  for (const auto& [part, reason] : profile.absent) {
    if (page.style().verbose || !is_kind_of_bottleneck(part)) add_wrapped(page, "missing", part + ": " + reason);
  }
  if (!profile.stopped.empty()) add_wrapped(page, "stopped", profile.stopped);
  if (profile.interrupted) add_wrapped(page, "note", "stopped by a signal: only what was measured until then is here");
  add_wrapped(page, "files", fmt::format("{}", fmt::join(profile.files, "  ")));
}

}  // namespace

std::string render_profile(const Profile& profile, const OperatorView& view, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(title_of(profile)));
  if (const std::string told = emulated_text(profile); !told.empty()) add_wrapped(page, "", told);
  add_baseline(profile, page);
  add_kind(profile, page);
  add_component(profile, page);
  add_operator_block(profile, view, page);
  add_call_costs(profile, page);
  add_census(profile, page);
  add_advice(profile, page);
  add_end(profile, page);
  return page.text();
}

std::string render_checklist(const Profile& profile, const std::string& list, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(profile.case_name));
  std::string before;
  for (const ChecklistEntry& entry : profile.checklist) {
    if (!list.empty() && entry.list != list) continue;
    if (entry.list != before) page.line(page.clean(entry.list));
    before = entry.list;
    constexpr std::size_t answer_width = 18;
    std::string margin = padded_right("  " + std::string(name_of(entry.answer)), answer_width);
    const std::string text = fmt::format("{}: {} ({})", entry.id, entry.asks, entry.evidence);
    for (const std::string& part : wrapped(page.clean(text), page_width(page) - answer_width)) {
      page.line(margin + part);
      margin.assign(answer_width, ' ');
    }
  }
  if (before.empty()) {
    const std::string why = profile.stopped.empty() ? "the profile did not get that far" : profile.stopped;
    for (const std::string& part : wrapped(page.clean("no question was answered: " + why), page_width(page)))
      page.line(part);
  }
  return page.text();
}

}  // namespace stepgate
