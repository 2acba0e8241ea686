#include "judge/studies/sweep_ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "judge/studies/sweep_knee.h"
#include "judge/studies/sweep_pairs.h"
#include "stats/mean_interval.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// An interval of 100 percent points shows only that there were too few rounds.
constexpr double too_wide = 1;

std::vector<double> values_of(const SweepSetting& setting) {
  std::vector<double> values;
  for (const auto& [round, value] : setting.by_round) values.push_back(value);
  return values;
}

void describe(const SweepSetting& setting, const SweepRules& rules, SettingRank& rank) {
  const std::vector<double> values = values_of(setting);
  if (values.empty()) return;
  rank.median = median(values);
  std::vector<double> logs;
  for (const double value : values) {
    if (!(value > 0)) return;
    logs.push_back(std::log(value));
  }
  if (logs.size() < 2) return;
  const MeanInterval found = mean_interval(logs, rules.level);
  rank.interval = Interval{std::exp(found.lower), std::exp(found.upper)};
}

void compare_with_best(const SweepPairs& pairs, std::size_t best, SettingRank& rank) {
  if (!pairs.is_ranked(rank.setting)) return;
  if (rank.setting == best) {
    rank.standing = Standing::best;
    return;
  }
  const PairedChange change = pairs.change(rank.setting, best);
  rank.behind = change.change;
  rank.behind_interval = change.interval;
  const bool tells = change.interval && change.interval->upper - change.interval->lower < too_wide;
  rank.standing = tells ? Standing::within_noise : Standing::unknown;
  if (change.interval && change.interval->lower > 0) rank.standing = Standing::behind;
}

/// Best first, then by loss; settings without a common round, and so without a loss, come last.
bool ranks_before(const SettingRank& a, const SettingRank& b) {
  const auto key = [](const SettingRank& rank) {
    if (rank.standing == Standing::best) return -std::numeric_limits<double>::infinity();
    if (rank.standing == Standing::not_ranked) return std::numeric_limits<double>::infinity();
    return rank.behind.value_or(std::numeric_limits<double>::max());
  };
  return key(a) < key(b);
}

}  // namespace

SweepRanking rank_settings(const std::vector<SweptParameter>& parameters, const std::vector<SweepSetting>& settings,
                           const SweepRules& rules) {
  const SweepPairs pairs(settings, rules);
  const auto best = pairs.best();
  SweepRanking ranking;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    SettingRank rank;
    rank.setting = i;
    describe(settings[i], rules, rank);
    if (best) compare_with_best(pairs, *best, rank);
    ranking.ranks.push_back(rank);
  }
  if (best) {
    for (std::size_t at = 0; at < parameters.size(); ++at) {
      if (auto knee = knee_of({parameters[at], at, *best}, settings, pairs, rules)) ranking.knees.push_back(*knee);
    }
  }
  std::stable_sort(ranking.ranks.begin(), ranking.ranks.end(), ranks_before);
  return ranking;
}

}  // namespace stepgate
