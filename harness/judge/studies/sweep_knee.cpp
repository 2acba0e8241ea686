#include "judge/studies/sweep_knee.h"

#include <algorithm>

#include "core/text/number_in_text.h"

namespace stepgate {
namespace {

bool differs_only_at(const SweepSetting& a, const SweepSetting& b, std::size_t at) {
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (i != at && a.values[i] != b.values[i]) return false;
  }
  return true;
}

/// Ranked settings whose other values equal those of the best, in ascending order of the parameter.
std::vector<std::size_t> line_through(const KneeQuestion& question, const std::vector<SweepSetting>& settings,
                                      const SweepPairs& pairs) {
  std::vector<std::size_t> line;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (pairs.is_ranked(i) && differs_only_at(settings[i], settings[question.best], question.at)) line.push_back(i);
  }
  std::stable_sort(line.begin(), line.end(), [&](std::size_t a, std::size_t b) {
    return number_in_text(settings[a].values[question.at]) < number_in_text(settings[b].values[question.at]);
  });
  return line;
}

/// True if these rounds do not show that it is worse than the best, or if it is worse by less than the ignore margin.
bool is_near(const PairedChange& behind, const SweepRules& rules) {
  if (!behind.interval || behind.interval->lower <= 0) return true;
  return behind.change && *behind.change < rules.margins.ignore;
}

}  // namespace

std::optional<Knee> knee_of(const KneeQuestion& question, const std::vector<SweepSetting>& settings,
                            const SweepPairs& pairs, const SweepRules& rules) {
  const auto& values = question.parameter.values;
  if (!std::all_of(values.begin(), values.end(), [](const std::string& value) { return number_in_text(value); }))
    return {};
  const std::vector<std::size_t> line = line_through(question, settings, pairs);
  if (line.size() < 2) return std::nullopt;
  // One round measures no noise, so no difference can be judged.
  const bool any_noise = std::any_of(line.begin(), line.end(), [&](std::size_t setting) {
    return setting != question.best && pairs.change(setting, question.best).interval.has_value();
  });
  if (!any_noise) return std::nullopt;
  const auto knee = std::find_if(line.begin(), line.end(), [&](std::size_t setting) {
    return setting == question.best || is_near(pairs.change(setting, question.best), rules);
  });
  const std::vector<std::size_t> larger(knee + 1, line.end());
  const std::size_t other = larger.empty() ? *(knee - 1) : pairs.best_of(larger);
  const PairedChange gain = larger.empty() ? pairs.change(other, *knee) : pairs.change(*knee, other);
  Knee result;
  result.parameter = question.parameter.name;
  result.value = settings[*knee].values[question.at];
  result.other = settings[other].values[question.at];
  result.gain = gain.change.value_or(0);
  result.interval = gain.interval;
  if (!larger.empty()) {
    const bool ruled_out = gain.interval && gain.interval->upper < rules.margins.matter;
    result.more = ruled_out ? More::does_not_help : More::not_seen_to_help;
  }
  return result;
}

}  // namespace stepgate
