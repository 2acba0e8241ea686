#include "judge/studies/sweep_pairs.h"

#include <algorithm>
#include <cmath>

#include "stats/mean_interval.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::map<std::int64_t, double> logs_of(const SweepSetting& setting, Direction direction) {
  if (!setting.failure.empty()) return {};
  const double sign = direction == Direction::higher_is_better ? -1 : 1;
  std::map<std::int64_t, double> logs;
  for (const auto& [round, value] : setting.by_round) {
    if (!(value > 0) || !std::isfinite(value)) return {};
    logs[round] = sign * std::log(value);
  }
  return logs;
}

}  // namespace

SweepPairs::SweepPairs(const std::vector<SweepSetting>& settings, const SweepRules& rules) {
  std::map<std::int64_t, std::size_t> seen;
  std::size_t ranked = 0;
  for (const SweepSetting& setting : settings) {
    worse_.push_back(logs_of(setting, rules.direction));
    if (worse_.back().empty()) continue;
    ++ranked;
    for (const auto& [round, value] : worse_.back()) ++seen[round];
  }
  for (const auto& [round, count] : seen) {
    if (count == ranked) shared_.push_back(round);
  }
  level_ = 1 - (1 - rules.level) / static_cast<double>(std::max<std::size_t>(2, ranked) - 1);
}

double SweepPairs::mean_of(std::size_t setting) const {
  std::vector<double> values;
  for (const auto& [round, value] : worse_[setting]) {
    if (shared_.empty() || std::binary_search(shared_.begin(), shared_.end(), round)) values.push_back(value);
  }
  return mean(values);
}

std::size_t SweepPairs::best_of(const std::vector<std::size_t>& settings) const {
  return *std::min_element(settings.begin(), settings.end(),
                           [&](std::size_t a, std::size_t b) { return mean_of(a) < mean_of(b); });
}

std::optional<std::size_t> SweepPairs::best() const {
  std::vector<std::size_t> ranked;
  for (std::size_t i = 0; i < worse_.size(); ++i) {
    if (is_ranked(i)) ranked.push_back(i);
  }
  return ranked.empty() ? std::nullopt : std::optional(best_of(ranked));
}

PairedChange SweepPairs::change(std::size_t first, std::size_t second) const {
  std::vector<double> differences;
  for (const auto& [round, value] : worse_[first]) {
    const auto other = worse_[second].find(round);
    if (other != worse_[second].end()) differences.push_back(value - other->second);
  }
  if (differences.empty()) return {};
  PairedChange result;
  result.change = std::expm1(mean(differences));
  if (differences.size() < 2) return result;
  const MeanInterval found = mean_interval(differences, level_);
  result.interval = Interval{std::expm1(found.lower), std::expm1(found.upper)};
  return result;
}

}  // namespace stepgate
