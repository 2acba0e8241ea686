#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "report/page/page_chart.h"
#include "report/page/source_link.h"
#include "report/profile/call_cost_text.h"
#include "report/profile/operator_lines.h"
#include "report/profile/profile_text.h"
#include "report/profile/roofline_plot.h"
#include "report/study_pages/study_facts.h"
#include "report/study_pages/study_pages.h"

namespace stepgate {
namespace {

/// Operators on the page; profile.json has all of them.
constexpr std::size_t listed_operators = 20;

Tone proof_tone(Proof proof) {
  if (proof == Proof::proven) return Tone::bad;
  return proof == Proof::refuted ? Tone::good : Tone::unsure;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : word.starts_with('(') ? " " : ", ") + word;
  return text;
}

/// " (5.9 % of the step, proven by optimizer-fused)"
std::string mend_remark(const Advice& advice) {
  const std::string worth = advice.worth > 0 ? short_share(advice.worth) + " of the step, " : "";
  const std::string rests_on = evidence_text(advice);
  const std::string evidence = rests_on.empty() ? "" : " by " + rests_on;
  return fmt::format(" ({}{}{})", worth, name_of(advice.proof), evidence);
}

PageSection advice_section(const Profile& profile) {
  PageSection section{.id = "advice", .heading = "What a mend would win"};
  PageBlock block{.wide = true};
  block.table.caption = "Surest first";
  block.table.columns = {{"what"}, {"of the step", true}, {"how sure"}, {"evidence"}};
  for (const Advice& advice : profile.advice) {
    block.table.rows.push_back({{.text = advice.text},
                                {.text = advice.worth > 0 ? short_share(advice.worth) : "-"},
                                {.text = std::string(name_of(advice.proof))},
                                {.text = evidence_text(advice)}});
  }
  if (!block.table.rows.empty()) section.blocks.push_back(std::move(block));
  return section;
}

PageSection limit_section(const Profile& profile) {
  PageSection section{.id = "limits", .heading = "What limits the step"};
  PageBlock account{.heading = "One step"};
  std::vector<ShareBar> bars;
  for (const AccountPart& part : profile.account) bars.push_back({part.label, part.share});
  if (!bars.empty()) {
    account.chart = share_bars({"account", "Parts of a step"}, bars);
    account.paragraphs = {joined_words(step_texts(profile)), joined_words(rate_texts(profile))};
    std::erase(account.paragraphs, "");
    section.blocks.push_back(std::move(account));
  }
  PageBlock kinds{.heading = "Kinds of bottleneck"};
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    kinds.items.push_back(
        {.label = fmt::format("{}, {}:", name_of(verdict.kind), name_of(verdict.proof)), .text = verdict.says});
  }
  if (!kinds.items.empty()) section.blocks.push_back(std::move(kinds));
  PageBlock experiments{.heading = "Experiments", .wide = true};
  experiments.table.columns = {{"experiment"}, {"what is done"}, {"effect on the step"}, {"word"}, {"remark"}};
  for (const ExperimentResult& result : profile.experiments) {
    if (!result.effect) continue;
    experiments.table.rows.push_back({{.text = std::string(name_of(result.experiment))},
                                      {.text = std::string(row_of(result.experiment).says)},
                                      {.text = effect_text(result)},
                                      {.text = proof_text(result)},
                                      {.text = result.remark}});
  }
  for (const std::string& one : not_run_texts(profile)) experiments.items.push_back({.label = "not run", .text = one});
  if (!experiments.table.rows.empty() || !experiments.items.empty()) section.blocks.push_back(std::move(experiments));
  return section;
}

PageSection operator_section(const Profile& profile, const PublishedCode& code) {
  PageSection section{.id = "operators", .heading = "Costliest operators"};
  if (profile.operators.empty()) return section;
  PageBlock plot{.wide = true,
                 .chart = plot_for_page({"roofline", "Operators below their roofs"}, render_roofline(profile)),
                 .large_chart = true};
  if (!plot.chart.empty()) section.blocks.push_back(std::move(plot));
  PageBlock block{.wide = true};
  block.table.caption = "Numbers of one step. c: FLOPs make its roof, b: bandwidth, o: mostly the price of a call";
  block.table.columns = {{"operator"}, {"self ms", true}, {"calls", true}, {"% of its roof", true}, {"in"}, {"where"}};
  const auto lines = operator_lines(profile.operators, view_of(profile, {.rows = listed_operators}));
  for (std::size_t i = 0; i < std::min(listed_operators, lines.size()); ++i) {
    const OperatorLine& line = lines[i];
    block.table.rows.push_back({{.text = line.name},
                                {.text = self_time_text(profile, line.self_ns)},
                                {.text = calls_text(line)},
                                {.text = roof_text(line)},
                                {.text = line.boundary},
                                {.text = line.where}});
  }
  block.paragraphs = profile.low_roofs;
  section.blocks.push_back(std::move(block));
  PageBlock places{.heading = "Their lines"};
  const bool has_times = profile.operator_times != OperatorTimes::none;
  for (const OperatorLine& line : lines) {
    if (!line.at || places.items.size() >= 5) continue;
    places.items.push_back({.label = has_times ? ms_text(line.self_ns) + " ms" : calls_text(line) + " calls",
                            .text = line.operator_name,
                            .places = {source_link(*line.at, code)}});
  }
  if (!places.items.empty()) section.blocks.push_back(std::move(places));
  return section;
}

PageSection call_cost_section(const Profile& profile) {
  PageSection section{.id = "calls", .heading = "What calls cost"};
  PageBlock block{.wide = true};
  block.table.columns = {
      {"place"}, {"calls a step", true}, {"seen by the observer", true}, {"the step when they run twice"}, {"word"}};
  for (const CallCostLine& line : call_cost_lines(profile)) {
    block.table.rows.push_back({{.text = line.place},
                                {.text = line.calls},
                                {.text = line.observed},
                                {.text = line.effect},
                                {.text = std::string(name_of(line.proof))}});
  }
  if (!block.table.rows.empty()) block.paragraphs = {std::string(call_cost_meaning) + "."};
  for (const std::string& one : no_call_cost_texts(profile))
    block.items.push_back({.label = "not measured", .text = one});
  if (!block.table.rows.empty() || !block.items.empty()) section.blocks.push_back(std::move(block));
  return section;
}

PageBlock memory_of_profile(const MemoryLedger& ledger) {
  const std::vector<LedgerBar> bars = {{"now", ledger}};
  PageBlock block{.heading = "Memory at the peak, in " + ledger.boundary};
  block.chart = ledger_bars({"memory", block.heading}, bars);
  block.table.columns = {{"kind"}, {"bytes", true}, {"share", true}};
  for (const LedgerKind& kind : ledger_kinds(bars)) {
    const auto bytes = static_cast<double>(ledger.bytes.at(kind.kind));
    const bool shared = ledger.peak_bytes > 0;
    block.table.rows.push_back({{.text = kind.kind, .swatch = kind.style},
                                {.text = bytes_text(bytes)},
                                {.text = shared ? share_text(bytes / static_cast<double>(ledger.peak_bytes)) : "-"}});
  }
  return block;
}

PageSection rest_section(const Profile& profile) {
  PageSection section{.id = "more", .heading = "Memory, checklist, what is missing", .folded = true};
  if (profile.memory) {
    section.blocks.push_back(memory_of_profile(*profile.memory));
  }
  PageBlock after{.heading = "Memory after each boundary"};
  after.table.columns = {{"boundary"}, {"at its end", true}, {"peak within", true}, {"reserved", true}};
  for (const BoundaryMemoryLine& line : boundary_memory_lines(profile)) {
    after.table.rows.push_back({{.text = line.boundary},
                                {.text = line.after},
                                {.text = line.peak},
                                {.text = line.reserved.empty() ? "-" : line.reserved}});
  }
  if (!after.table.rows.empty()) section.blocks.push_back(std::move(after));
  PageBlock list{.heading = "Checklist", .wide = true};
  list.table.columns = {{"question"}, {"answer"}, {"evidence"}};
  for (const ChecklistEntry& entry : profile.checklist) {
    list.table.rows.push_back({{.text = entry.id + ": " + entry.asks},
                               {.text = std::string(name_of(entry.answer))},
                               {.text = entry.evidence}});
  }
  if (!list.table.rows.empty()) section.blocks.push_back(std::move(list));
  PageBlock missing{.heading = "Missing"};
  for (const auto& [part, reason] : profile.absent) missing.items.push_back({.label = part, .text = reason});
  if (!missing.items.empty()) section.blocks.push_back(std::move(missing));
  return section;
}

}  // namespace

Page profile_page(const Profile& profile, const std::string& repository_url) {
  Page page{
      .title = "stepgate: profile of " + profile.case_name,
      .counts = {},
      .facts = study_facts({profile.commit, profile.runner_class, profile.utc, profile.seconds}),
      .sentences = {},
      .sections = {},
      .footer = {
          "Proven: an experiment removed or delayed the resource, or ran the calls twice, and its effect is beyond the "
          "margin. "
          "profile.json is authoritative."}};
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    if (verdict.proof == Proof::proven)
      page.counts.push_back({proof_tone(verdict.proof), fmt::format("{} limits the step", name_of(verdict.kind))});
  }
  const std::string emulated = emulated_text(profile);
  if (page.counts.empty())
    page.counts.push_back({Tone::unsure, emulated.empty() ? "no bottleneck is proven" : "counts only, no times"});
  if (!profile.stopped.empty() || profile.interrupted) page.counts.push_back({Tone::unsure, "stopped early"});
  const auto steps = step_texts(profile);
  const std::string params = params_text(profile);
  std::string answer =
      profile.case_name + (params.empty() ? "" : " with " + params) + (steps.empty() ? "" : ": " + steps.front());
  if (const std::string headline = headline_text(profile); !headline.empty()) answer += "; " + headline;
  page.sentences.push_back({.label = "", .text = answer + "."});
  if (!emulated.empty()) page.sentences.push_back({.label = "GPU:", .text = emulated});
  if (!profile.stopped.empty()) page.sentences.push_back({.label = "Stopped:", .text = profile.stopped});
  if (!profile.advice.empty()) {
    const Advice& first = profile.advice.front();
    page.sentences.push_back({.label = "First mend:", .text = first.text + mend_remark(first)});
  }
  for (PageSection& section :
       std::vector{advice_section(profile), limit_section(profile),
                   operator_section(profile, {.repository_url = repository_url, .commit = profile.commit}),
                   call_cost_section(profile), rest_section(profile)}) {
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  }
  return page;
}

}  // namespace stepgate
