#include "report/studies/sweep_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_in_text.h"

namespace stepgate {
namespace {

/// The values in the order of an axis.
std::vector<std::string> in_order(std::vector<std::string> values) {
  const bool numbers = std::all_of(values.begin(), values.end(), [](const auto& v) { return number_in_text(v); });
  if (numbers) {
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return number_in_text(a) < number_in_text(b); });
  }
  return values;
}

/// Parameters with more than one value, at most two of them.
std::vector<std::size_t> shown_parameters(const Sweep& sweep) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < sweep.parameters.size() && shown.size() < 2; ++i) {
    if (sweep.parameters[i].values.size() > 1) shown.push_back(i);
  }
  return shown;
}

std::string held_text(const Sweep& sweep, const std::vector<std::size_t>& shown, std::size_t best) {
  std::string text;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    if (std::find(shown.begin(), shown.end(), i) != shown.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", sweep.parameters[i].name, sweep.settings[best].values[i]);
  }
  return text;
}

/// True if the plot shows the setting: all other parameters have the best setting's values.
bool is_shown(const Sweep& sweep, const std::vector<std::size_t>& shown, std::size_t setting, std::size_t best) {
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    const bool free = std::find(shown.begin(), shown.end(), i) != shown.end();
    if (!free && sweep.settings[setting].values[i] != sweep.settings[best].values[i]) return false;
  }
  return true;
}

void add_points(const Sweep& sweep, const std::vector<std::size_t>& shown, SweepLines& lines) {
  const std::size_t best = sweep.ranking.ranks.front().setting;
  for (const SettingRank& rank : sweep.ranking.ranks) {
    const SweepSetting& setting = sweep.settings[rank.setting];
    if (!is_shown(sweep, shown, rank.setting, best) || (!rank.median && setting.failure.empty())) continue;
    const auto column = std::find(lines.columns.begin(), lines.columns.end(), setting.values[lines.x]);
    const std::string label =
        shown.size() < 2 ? "" : fmt::format("{}={}", sweep.parameters[shown[1]].name, setting.values[shown[1]]);
    const auto line =
        std::find_if(lines.lines.begin(), lines.lines.end(), [&](const PlotLine& l) { return l.label == label; });
    line->points.push_back({static_cast<std::size_t>(column - lines.columns.begin()), &rank});
  }
}

}  // namespace

std::optional<SweepLines> lines_of(const Sweep& sweep) {
  const auto shown = shown_parameters(sweep);
  const auto& ranks = sweep.ranking.ranks;
  if (shown.empty() || ranks.empty() || ranks.front().standing != Standing::best) return std::nullopt;
  SweepLines lines;
  lines.x = shown[0];
  lines.columns = in_order(sweep.parameters[lines.x].values);
  lines.held = held_text(sweep, shown, ranks.front().setting);
  if (shown.size() < 2) {
    lines.lines.push_back({});
  } else {
    const SweptParameter& second = sweep.parameters[shown[1]];
    for (const std::string& value : in_order(second.values)) {
      lines.lines.push_back({fmt::format("{}={}", second.name, value), {}});
    }
  }
  add_points(sweep, shown, lines);
  for (PlotLine& line : lines.lines) {
    std::sort(line.points.begin(), line.points.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.column < b.column; });
  }
  return lines;
}

}  // namespace stepgate
