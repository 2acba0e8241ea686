#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "report/study_pages/study_facts.h"
#include "report/study_pages/study_pages.h"

namespace stepgate {
namespace {

Tone recommendation_tone(Recommendation recommendation) {
  constexpr Tone tones[] = {Tone::good, Tone::bad, Tone::unsure, Tone::plain};
  return tones[static_cast<std::size_t>(recommendation)];
}

std::string_view advice_text(Recommendation recommendation) {
  return recommendation == Recommendation::indifferent ? "without effect" : name_of(recommendation);
}

/// "1 knob to use", "2 knobs undecided": a part of the first line.
std::string count_of_advice(std::int64_t count, Recommendation recommendation) {
  const bool verb = recommendation == Recommendation::use || recommendation == Recommendation::avoid;
  return fmt::format("{} {}{}", counted(count, "knob"), verb ? "to " : "", advice_text(recommendation));
}

/// A spread has no sign.
std::string unsigned_share(const std::optional<double>& spread) {
  if (!spread) return "-";
  const std::string text = change_text(*spread);
  return text.starts_with('+') ? text.substr(1) : text;
}

std::string ratio_cell(const KnobEffect& effect) {
  if (!effect.ratio) return "-";
  std::string text = fmt::format("{:.2f}", *effect.ratio);
  if (effect.ratio_interval)
    text += fmt::format(" [{:.2f}, {:.2f}]", effect.ratio_interval->lower, effect.ratio_interval->upper);
  return text;
}

std::vector<const AblatedKnob*> knobs_by_advice(const Ablation& ablation) {
  std::vector<const AblatedKnob*> knobs;
  for (const AblatedKnob& knob : ablation.knobs) knobs.push_back(&knob);
  std::stable_sort(knobs.begin(), knobs.end(), [](const AblatedKnob* a, const AblatedKnob* b) {
    return a->effect.recommendation < b->effect.recommendation;
  });
  return knobs;
}

PageSection knob_section(const Ablation& ablation) {
  PageSection section{.id = "knobs", .heading = "Knobs"};
  PageBlock block{.wide = true};
  block.table.caption =
      fmt::format("Spread of the step time between processes; intervals of {:.0f} % each", ablation.level * 100);
  block.table.columns = {{"knob"},
                         {"advice"},
                         {"pairs", true},
                         {"spread without", true},
                         {"spread with", true},
                         {"ratio, below 1 is quieter", true},
                         {"step time with it, + is worse", true},
                         {"why"}};
  for (const AblatedKnob* knob : knobs_by_advice(ablation)) {
    const KnobEffect& effect = knob->effect;
    block.table.rows.push_back(
        {{.text = knob->knob.name},
         {.text = std::string(advice_text(effect.recommendation)), .tone = recommendation_tone(effect.recommendation)},
         {.text = std::to_string(knob->pairs.size())},
         {.text = unsigned_share(effect.spread_without)},
         {.text = unsigned_share(effect.spread_with)},
         {.text = ratio_cell(effect)},
         {.text = effect.shift ? change_text(*effect.shift) : "-"},
         {.text = knob->failure.empty() ? effect.reason : knob->failure}});
  }
  section.blocks.push_back(std::move(block));
  PageBlock remedies{.heading = "What refused knobs need"};
  for (const AblatedKnob& knob : ablation.knobs) {
    if (!knob.knob.remedy.empty()) remedies.commands.push_back({knob.knob.name, knob.knob.remedy});
  }
  if (!remedies.commands.empty()) section.blocks.push_back(std::move(remedies));
  return section;
}

}  // namespace

Page ablation_page(const Ablation& ablation) {
  Page page{.title = "stepgate: knobs for " + ablation.case_name,
            .counts = {},
            .facts = study_facts({ablation.commit, ablation.runner_class, ablation.utc, ablation.seconds}),
            .sentences = {},
            .sections = {},
            .footer = {"Each interval stands alone: of many knobs without effect a few seem to have one. ablation.json "
                       "is authoritative."}};
  for (Recommendation recommendation : all_recommendations) {
    const auto count = std::count_if(ablation.knobs.begin(), ablation.knobs.end(), [&](const AblatedKnob& knob) {
      return knob.effect.recommendation == recommendation;
    });
    if (count > 0) page.counts.push_back({recommendation_tone(recommendation), count_of_advice(count, recommendation)});
  }
  if (page.counts.empty()) page.counts.push_back({Tone::bad, "no knob"});
  if (ablation.interrupted) page.counts.push_back({Tone::unsure, "stopped early"});
  const bool any = std::any_of(ablation.knobs.begin(), ablation.knobs.end(),
                               [](const AblatedKnob& knob) { return knob.effect.spread_with.has_value(); });
  const std::string advice = !any                           ? "no knob was measured."
                             : ablation.recommended.empty() ? "no measured knob is worth an option; keep the defaults."
                                                            : ablation.recommended + " makes the measurement quieter.";
  page.sentences.push_back({.label = "", .text = ablation.case_name + ": " + advice});
  if (!ablation.recommended.empty()) {
    PageBlock block{.wide = true, .commands = {{"Options for run, gate and ab", ablation.recommended}}};
    page.sections.push_back({.id = "advice", .tone = Tone::good, .heading = "What to do", .blocks = {block}});
  }
  page.sections.push_back(knob_section(ablation));
  return page;
}

}  // namespace stepgate
