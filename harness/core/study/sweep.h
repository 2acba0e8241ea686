// One case over a grid of parameter values: the measurements of each setting, and the ranking of the settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.h"

namespace stepgate {

/// A parameter of the case with the values to try, in the order given. "threads" belongs to the plan, not to the case.
struct SweptParameter {
  std::string name;
  std::vector<std::string> values;

  bool operator==(const SweptParameter&) const = default;
};

/// What is varied and compared. Fixed before the first process.
struct SweepPlan {
  std::string metric;  ///< what settings are ranked by
  std::vector<SweptParameter> parameters = {};

  bool operator==(const SweepPlan&) const = default;
};

/// One point of the grid with the results of its processes.
struct SweepSetting {
  std::vector<std::string> values;          ///< one per parameter, in their order
  std::map<std::int64_t, double> by_round;  ///< round -> the metric in that round's fresh process
  std::map<std::string, double> beside;     ///< explaining metrics, median over the rounds, e.g. "supply_ratio"
  std::int64_t tainted = 0;                 ///< rounds discarded for interference
  std::string failure;                      ///< why it gave no result, one sentence; "" if it gave one
  std::string output_tail;                  ///< the last output of its failed process
};

enum class Standing {
  best,
  within_noise,  ///< cannot be distinguished from the best
  behind,        ///< the best is better by more than chance explains
  unknown,       ///< too few rounds to tell it from the best
  not_ranked,    ///< failed, or no clean value
};

/// The rank of one setting. Changes are relative to the best: 0.05 is five percent worse.
struct SettingRank {
  std::size_t setting = 0;  ///< index into Sweep::settings
  Standing standing = Standing::not_ranked;
  std::optional<double> median = std::nullopt;      ///< median of the metric over the rounds, in its unit
  std::optional<Interval> interval = std::nullopt;  ///< around the median; absent with fewer than two rounds
  std::optional<double> behind = std::nullopt;      ///< absent for the best, and if no round has both settings
  std::optional<Interval> behind_interval = std::nullopt;
};

enum class More {
  does_not_help,     ///< a gain that matters is ruled out
  not_seen_to_help,  ///< no gain was seen, and one that matters is not ruled out
  may_help,          ///< the largest value tried is the first that is as good as the best
};

/// The value of one parameter above which it stops helping, with all other parameters as in the best setting.
struct Knee {
  std::string parameter;
  std::string value;  ///< the smallest that is as good as the best
  More more = More::may_help;
  std::string other;  ///< the value compared with: the best of the larger values; for may_help the next smaller one
  double gain = 0;    ///< relative, of the larger of the two over the smaller one; negative: it is worse
  std::optional<Interval> interval = std::nullopt;
};

struct SweepRanking {
  std::vector<SettingRank> ranks;  ///< best first; settings without a rank last
  std::vector<Knee> knees;         ///< one per numeric parameter with two ranked values
};

struct Sweep {
  std::string case_name;
  std::string runner_class;
  std::string utc;
  std::string commit;
  std::string metric;
  std::uint64_t seed = 0;     ///< for data, weights and the order in the rounds
  std::int64_t rounds = 0;    ///< planned; each holds one fresh process of every setting
  std::int64_t cpus = 0;      ///< requested, equal for all settings: the largest threads + loader_workers
  std::int64_t cpus_had = 0;  ///< given to the processes
  bool interrupted = false;
  double seconds = 0;  ///< how long it took
  std::vector<SweptParameter> parameters;
  std::vector<std::vector<std::size_t>> orders;  ///< per round: settings in the order in which they ran
  /// Per round: the node that measured it, "" where none did. Empty where all rounds ran on one machine.
  std::vector<std::string> places = {};
  std::vector<SweepSetting> settings;
  SweepRanking ranking;
};

constexpr std::string_view name_of(Standing standing) {
  constexpr std::string_view names[] = {"best", "within-noise", "behind", "unknown", "not-ranked"};
  return names[static_cast<std::size_t>(standing)];
}
constexpr std::optional<Standing> standing_named(std::string_view name) {
  for (Standing standing :
       {Standing::best, Standing::within_noise, Standing::behind, Standing::unknown, Standing::not_ranked}) {
    if (name_of(standing) == name) return standing;
  }
  return std::nullopt;
}
constexpr std::string_view name_of(More more) {
  constexpr std::string_view names[] = {"does-not-help", "not-seen-to-help", "may-help"};
  return names[static_cast<std::size_t>(more)];
}
constexpr std::optional<More> more_named(std::string_view name) {
  for (More more : {More::does_not_help, More::not_seen_to_help, More::may_help}) {
    if (name_of(more) == name) return more;
  }
  return std::nullopt;
}

}  // namespace stepgate
