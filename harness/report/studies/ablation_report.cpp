#include "report/studies/ablation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

using Knobs = std::vector<const AblatedKnob*>;

bool is_measured(const AblatedKnob& knob) { return knob.effect.spread_with.has_value(); }

Knobs in_order(const Ablation& ablation, bool measured) {
  Knobs knobs;
  for (const AblatedKnob& knob : ablation.knobs) {
    if (is_measured(knob) == measured) knobs.push_back(&knob);
  }
  std::stable_sort(knobs.begin(), knobs.end(), [](const AblatedKnob* a, const AblatedKnob* b) {
    return a->effect.recommendation < b->effect.recommendation;
  });
  return knobs;
}

Status colour_of(Recommendation recommendation) {
  switch (recommendation) {
    case Recommendation::use:
      return Status::pass;
    case Recommendation::avoid:
      return Status::regressed;
    case Recommendation::undecided:
      return Status::inconclusive;
    case Recommendation::indifferent:
      break;
  }
  return Status::skipped;
}

/// A spread is shown without a sign.
std::string spread_text(const std::optional<double>& spread) {
  if (!spread) return "-";
  const std::string text = change_text(*spread);
  return text.starts_with('+') ? text.substr(1) : text;
}

/// Jackknife bounds of a few pairs can be very far apart; beyond this limit they mean only that nothing is known.
constexpr double absurd_ratio = 100;

std::string ratio_interval_text(const std::optional<Interval>& interval) {
  if (!interval) return "-";
  const std::string upper = interval->upper > absurd_ratio ? "over 100" : fmt::format("{:.2f}", interval->upper);
  return fmt::format("{:.2f} .. {}", interval->lower, upper);
}

std::string shift_text(const KnobEffect& effect) {
  if (!effect.shift) return "-";
  if (!effect.shift_interval) return change_text(*effect.shift);
  return fmt::format("{} [{}, {}]", change_text(*effect.shift), change_text(effect.shift_interval->lower),
                     change_text(effect.shift_interval->upper));
}

std::string within_text(const KnobEffect& effect) {
  if (!effect.within_with && !effect.within_without) return "";
  return spread_text(effect.within_without) + " -> " + spread_text(effect.within_with);
}

std::vector<std::string> row_of(const AblatedKnob& knob, const ConsolePage& page) {
  const KnobEffect& effect = knob.effect;
  return {page.clean(knob.knob.name),
          std::string(name_of(knob.knob.mode)),
          std::to_string(knob.pairs.size()),
          spread_text(effect.spread_without),
          spread_text(effect.spread_with),
          effect.ratio ? fmt::format("{:.2f}", *effect.ratio) : "-",
          ratio_interval_text(effect.ratio_interval),
          shift_text(effect),
          within_text(effect)};
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const Ablation& ablation, const Knobs& knobs, const ConsolePage& page) {
  const bool inside = std::any_of(knobs.begin(), knobs.end(), [](const auto* k) { return k->effect.within_with; });
  Rows rows = {{"knob", "mode", "pairs", "spread without", "with", "ratio",
                fmt::format("{:.0f} % interval", ablation.level * 100), "step time with it",
                inside ? "inside a process" : ""}};
  for (const AblatedKnob* knob : knobs) rows.push_back(row_of(*knob, page));
  return rows;
}

/// Removes columns until the table fits; the JSON document has all of them.
std::vector<std::string> fitting_table(Rows rows, std::size_t width) {
  constexpr std::size_t dispensable[] = {8, 1, 2};  // inside a process, mode, pairs
  const std::vector<Align> aligned = {Align::left,  Align::left, Align::right, Align::right, Align::right,
                                      Align::right, Align::left, Align::left,  Align::left};
  std::vector<std::string> lines = table_of(rows, aligned);
  const auto too_wide = [&](const std::string& line) { return columns(line) > width; };
  for (const std::size_t column : dispensable) {
    if (std::none_of(lines.begin(), lines.end(), too_wide)) break;
    for (auto& row : rows) row[column].clear();
    lines = table_of(rows, aligned);
  }
  return lines;
}

/// The recommendation precedes the padded row, so that its colour codes do not count as width.
void add_table(const Ablation& ablation, const Knobs& knobs, ConsolePage& page) {
  const std::size_t width = name_of(Recommendation::indifferent).size();
  const std::string margin(width + 4, ' ');
  const auto lines = fitting_table(rows_of(ablation, knobs, page), page.width() - margin.size());
  page.line(margin + lines[0]);
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    const Recommendation mark = knobs[i]->effect.recommendation;
    const std::string word = padded_right(std::string(name_of(mark)), width);
    page.line("  " + page.painted(word, colour_of(mark)) + "  " + lines[i + 1]);
  }
}

std::string title_of(const Ablation& ablation) {
  return fmt::format("{}: what each knob does to the spread of a step, {} each, {:.0f} s, seed {}", ablation.case_name,
                     counted(ablation.pairs, "pair"), std::ceil(ablation.seconds), ablation.seed);
}

void add_reasons(const Knobs& knobs, ConsolePage& page) {
  for (const AblatedKnob* knob : knobs) {
    const bool idle = knob->effect.recommendation == Recommendation::indifferent;
    if (idle && !page.style().verbose) continue;
    page.paragraph("why", knob->knob.name + ": " + knob->effect.reason);
  }
}

void add_failures(const Knobs& knobs, ConsolePage& page) {
  for (const AblatedKnob* knob : knobs) {
    if (!knob->failure.empty()) page.paragraph("failed", knob->knob.name + ": " + knob->failure);
  }
}

void add_unmeasured(const Knobs& knobs, ConsolePage& page) {
  for (const AblatedKnob* knob : knobs) {
    page.paragraph("why", knob->knob.name + ": " + knob->effect.reason);
    page.verbatim("", knob->knob.remedy);
  }
}

void add_notes(const Ablation& ablation, std::size_t measured, ConsolePage& page) {
  if (measured > 1) {
    page.paragraph("note", fmt::format("each interval has a level of {:.0f} %: of {:.0f} knobs without effect, "
                                       "about one would seem to have one",
                                       ablation.level * 100, 1 / (1 - ablation.level)));
  }
  std::int64_t tainted = 0;
  for (const AblatedKnob& knob : ablation.knobs) tainted += knob.tainted_pairs;
  if (tainted > 0) {
    page.paragraph("note",
                   fmt::format("{} discarded for interference from outside, after retries", counted(tainted, "pair")));
  }
  if (ablation.interrupted) page.paragraph("note", "stopped by a signal: later pairs are missing");
}

void add_recommended(const Ablation& ablation, std::size_t measured, ConsolePage& page) {
  if (measured == 0) return page.paragraph("recommend", "nothing: no knob was measured");
  if (!ablation.recommended.empty()) return page.verbatim("recommend", ablation.recommended);
  page.paragraph("recommend", "the defaults: no measured knob is worth an option");
}

}  // namespace

std::string render_ablation(const Ablation& ablation, const ConsoleStyle& style) {
  ConsolePage page(style);
  const Knobs measured = in_order(ablation, true);
  page.line(page.clean(title_of(ablation)));
  page.blank();
  if (!measured.empty()) {
    add_table(ablation, measured, page);
    page.blank();
  }
  add_reasons(measured, page);
  add_failures(measured, page);
  add_unmeasured(in_order(ablation, false), page);
  add_notes(ablation, measured.size(), page);
  add_recommended(ablation, measured.size(), page);
  return page.text();
}

}  // namespace stepgate
