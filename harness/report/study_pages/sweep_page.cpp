#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/page/page_chart.h"
#include "report/studies/sweep_plot.h"
#include "report/studies/sweep_text.h"
#include "report/study_pages/study_facts.h"
#include "report/study_pages/study_pages.h"

namespace stepgate {
namespace {

Tone standing_tone(Standing standing) {
  if (standing == Standing::best || standing == Standing::within_noise) return Tone::good;
  return standing == Standing::not_ranked ? Tone::bad : Tone::plain;
}

std::string_view standing_text(Standing standing) {
  constexpr std::string_view words[] = {"best", "within noise of the best", "behind", "unknown: too few rounds",
                                        "not ranked"};
  return words[static_cast<std::size_t>(standing)];
}

std::string swept_value_text(const Sweep& sweep, const std::optional<double>& value) {
  const Metric* metric = find_metric(sweep.metric);
  return value ? quantity_text(metric == nullptr ? MetricUnit::none : metric->unit, *value) : "-";
}

/// "132 samples/s", "step time 9.28 ms": a unit that says what is counted needs no further name.
std::string best_value_text(const Sweep& sweep, const std::optional<double>& value) {
  const std::string name = label_of(sweep.metric);
  const std::string text = swept_value_text(sweep, value);
  return text.find(' ' + name) == std::string::npos ? name + " " + text : text;
}

std::string behind_cell(const SettingRank& rank) {
  if (!rank.behind) return "";
  std::string text = change_text(*rank.behind);
  if (rank.behind_interval) text += " " + change_bounds_text(*rank.behind_interval);
  return text;
}

PageSection settings_section(const Sweep& sweep) {
  PageSection section{.id = "settings", .heading = "Settings, best first"};
  PageBlock plot{.wide = true,
                 .chart = plot_for_page({"plot", label_of(sweep.metric)}, render_sweep_plot(sweep)),
                 .large_chart = true};
  if (!plot.chart.empty()) section.blocks.push_back(std::move(plot));
  PageBlock block{.wide = true};
  block.table.caption = "Medians over rounds of fresh processes";
  block.table.columns = {{"setting"}, {"standing"}, {"median", true}, {"behind the best, + is worse", true}, {"note"}};
  for (const SettingRank& rank : sweep.ranking.ranks) {
    block.table.rows.push_back(
        {{.text = setting_text(sweep, rank.setting)},
         {.text = std::string(standing_text(rank.standing)), .tone = standing_tone(rank.standing)},
         {.text = swept_value_text(sweep, rank.median)},
         {.text = behind_cell(rank)},
         {.text = sweep.settings[rank.setting].failure}});
  }
  section.blocks.push_back(std::move(block));
  return section;
}

std::vector<PageItem> sweep_sentences(const Sweep& sweep) {
  std::string best;
  for (const SettingRank& rank : sweep.ranking.ranks) {
    const std::string setting = setting_text(sweep, rank.setting);
    if (rank.standing == Standing::best)
      best = fmt::format("{}: {} is best: {}.", sweep.case_name, setting, best_value_text(sweep, rank.median));
  }
  if (best.empty()) return {{.label = "", .text = sweep.case_name + ": no setting could be ranked."}};
  std::vector<PageItem> sentences = {{.label = "", .text = best}};
  const std::string as_good = settings_text(sweep, Standing::within_noise);
  if (!as_good.empty()) sentences.push_back({.label = "As good:", .text = as_good + ", within noise of the best."});
  const std::string unknown = settings_text(sweep, Standing::unknown);
  if (!unknown.empty()) sentences.push_back({.label = "Unknown:", .text = unknown + ": too few rounds."});
  for (const Knee& knee : sweep.ranking.knees) {
    sentences.push_back({.label = "More " + knee.parameter + "?", .text = knee_text(knee)});
  }
  return sentences;
}

}  // namespace

Page sweep_page(const Sweep& sweep) {
  std::size_t ranked = 0;
  for (const SettingRank& rank : sweep.ranking.ranks) ranked += rank.standing == Standing::not_ranked ? 0U : 1U;
  const std::size_t failed = sweep.ranking.ranks.size() - ranked;
  Page page{.title = "stepgate: sweep of " + sweep.case_name,
            .counts = {{ranked > 0 ? Tone::good : Tone::bad, counted(ranked, "setting") + " ranked"}},
            .facts = study_facts({sweep.commit, sweep.runner_class, sweep.utc, sweep.seconds}),
            .sentences = sweep_sentences(sweep),
            .sections = {settings_section(sweep)},
            .footer = {"sweep.json beside the measurements is authoritative."}};
  if (failed > 0) page.counts.push_back({Tone::bad, fmt::format("{} without a result", failed)});
  page.facts.push_back(counted(sweep.rounds, "round"));
  if (sweep.interrupted) page.counts.push_back({Tone::unsure, "stopped early"});
  return page;
}

}  // namespace stepgate
