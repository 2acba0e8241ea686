#include "judge/studies/ablation_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/host/process_knob.h"
#include "core/text/number_format.h"
#include "stats/spread_ratio.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// ln of the step times of all pairs.
struct LogTimes {
  std::vector<double> with;
  std::vector<double> without;
};

LogTimes log_times_of(const std::vector<AblationPair>& pairs) {
  LogTimes times;
  for (const AblationPair& pair : pairs) {
    times.with.push_back(std::log(pair.with.step_time_ns));
    times.without.push_back(std::log(pair.without.step_time_ns));
  }
  return times;
}

bool is_time(double value) { return std::isfinite(value) && value > 0; }

/// Why the pairs of a knob cannot be judged; "" if they can.
std::string obstacle_of(const AblatedKnob& knob) {
  const KnobState state = knob.knob.state;
  if (state == KnobState::denied || state == KnobState::unsupported || state == KnobState::overridden) {
    return fmt::format("not measured: {}", knob.knob.reason.empty() ? name_of(state) : knob.knob.reason);
  }
  if (!knob.failure.empty() && knob.pairs.empty()) return fmt::format("not measured: {}", knob.failure);
  const bool all_times = std::all_of(knob.pairs.begin(), knob.pairs.end(), [](const AblationPair& pair) {
    return is_time(pair.with.step_time_ns) && is_time(pair.without.step_time_ns);
  });
  if (!all_times) return "a process gave a step time that is not a positive number";
  if (knob.pairs.size() < fewest_spread_pairs) {
    return fmt::format("{}: an interval needs at least {}{}", counted(knob.pairs.size(), "clean pair"),
                       fewest_spread_pairs, knob.failure.empty() ? "" : " (" + knob.failure + ")");
  }
  return "";
}

/// Median over the processes of one side that have the value.
std::optional<double> within_of(const std::vector<AblationPair>& pairs, AblationSide AblationPair::*side) {
  std::vector<double> spreads;
  for (const AblationPair& pair : pairs) {
    const auto spread = (pair.*side).within_spread;
    if (spread && std::isfinite(*spread)) spreads.push_back(*spread);
  }
  if (spreads.empty()) return std::nullopt;
  return median(spreads);
}

void set_shift(const LogTimes& times, const AblationRules& rules, KnobEffect& effect) {
  const auto shift = mean_shift({times.with, times.without}, rules.level);
  if (!shift) return;
  effect.shift = std::expm1(shift->mean);
  effect.shift_interval = Interval{std::expm1(shift->lower), std::expm1(shift->upper)};
}

std::optional<std::int64_t> pairs_to_decide(const SpreadRatio& found, std::size_t pairs, const AblationRules& rules) {
  const double theta = std::abs(std::log(found.ratio));
  const double reach = std::max(theta, std::log(rules.factor) - theta);
  const double deviation = found.log_standard_error * std::sqrt(static_cast<double>(pairs));
  for (int m = static_cast<int>(pairs) + 1; m <= rules.most_pairs; ++m) {
    const double t = student_t_upper_quantile((1 - rules.level) / 2, m - 1);
    if (t * deviation / std::sqrt(m) < reach) return m;
  }
  return std::nullopt;
}

/// "; steps are slower, +20.0 %"; "" if the interval of the shift contains zero.
std::string shift_clause(const KnobEffect& effect) {
  if (!effect.shift || !effect.shift_interval) return "";
  if (effect.shift_interval->lower > 0) return fmt::format("; steps are slower, {}", change_text(*effect.shift));
  if (effect.shift_interval->upper < 0) return fmt::format("; steps are faster, {}", change_text(*effect.shift));
  return "";
}

bool is_surely_slower(const KnobEffect& effect, const AblationRules& rules) {
  return effect.shift_interval && effect.shift_interval->lower > rules.slower;
}

void recommend(Recommendation recommendation, std::string reason, KnobEffect& effect) {
  effect.recommendation = recommendation;
  effect.reason = std::move(reason);
}

/// Recommends by the step time if the spread gives no recommendation.
void decide_without_ratio(const AblationRules& rules, std::string reason, KnobEffect& effect) {
  if (is_surely_slower(effect, rules)) {
    recommend(Recommendation::avoid, fmt::format("slower for no gain, {}", change_text(*effect.shift)), effect);
  } else {
    recommend(Recommendation::undecided, std::move(reason), effect);
  }
}

void decide(const SpreadRatio& found, std::size_t pairs, const AblationRules& rules, KnobEffect& effect) {
  if (found.upper < 1) {
    recommend(Recommendation::use,
              fmt::format("at most {:.2f} of the spread without it{}", found.upper, shift_clause(effect)), effect);
  } else if (found.lower > 1) {
    recommend(Recommendation::avoid,
              fmt::format("at least {:.2f} times the spread without it{}", found.lower, shift_clause(effect)), effect);
  } else if (is_surely_slower(effect, rules)) {
    decide_without_ratio(rules, "", effect);
  } else if (found.lower > 1 / rules.factor && found.upper < rules.factor) {
    recommend(Recommendation::indifferent,
              fmt::format("a factor of {} either way is ruled out{}", rules.factor, shift_clause(effect)), effect);
  } else {
    effect.pairs_to_decide = pairs_to_decide(found, pairs, rules);
    const std::string takes = effect.pairs_to_decide ? "about " + counted(*effect.pairs_to_decide, "pair")
                                                     : fmt::format("more than {} pairs", rules.most_pairs);
    recommend(Recommendation::undecided,
              fmt::format("{} would decide it if the ratio stays the same{}", takes, shift_clause(effect)), effect);
  }
}

bool is_measured(const AblatedKnob& knob) { return knob.effect.shift.has_value(); }

/// True if the recommended configuration sets the knob.
bool is_kept(const AblatedKnob& knob) {
  if (!is_measured(knob) || knob.effect.recommendation == Recommendation::avoid) return false;
  return knob.effect.recommendation == Recommendation::use || knob.knob.mode == GuardMode::process;
}

}  // namespace

KnobEffect effect_of(const AblatedKnob& knob, const AblationRules& rules) {
  KnobEffect effect;
  effect.reason = obstacle_of(knob);
  if (!effect.reason.empty()) return effect;
  const LogTimes times = log_times_of(knob.pairs);
  effect.spread_with = std::sqrt(sample_variance(times.with));
  effect.spread_without = std::sqrt(sample_variance(times.without));
  effect.within_with = within_of(knob.pairs, &AblationPair::with);
  effect.within_without = within_of(knob.pairs, &AblationPair::without);
  set_shift(times, rules, effect);
  const auto found = spread_ratio({times.with, times.without}, rules.level);
  if (!found) {
    decide_without_ratio(rules, "the step times of one side are almost equal: there is no ratio", effect);
    return effect;
  }
  effect.ratio = found->ratio;
  effect.ratio_interval = Interval{found->lower, found->upper};
  decide(*found, knob.pairs.size(), rules, effect);
  return effect;
}

std::string recommended_options(const std::vector<AblatedKnob>& knobs) {
  std::vector<std::string_view> process(process_knob_names.begin(), process_knob_names.end());
  std::vector<std::string_view> host;
  bool default_malloc = true;
  for (const AblatedKnob& knob : knobs) {
    const std::string& name = knob.knob.name;
    if (!is_measured(knob) || name == whole_process_mode || name == whole_host_mode) continue;
    if (name == malloc_knob) {
      default_malloc = is_kept(knob);
    } else if (knob.knob.mode == GuardMode::host) {
      if (is_kept(knob)) host.push_back(name);
    } else if (!is_kept(knob)) {
      std::erase(process, name);
    }
  }
  const bool whole_process = process.size() == process_knob_names.size();
  if (whole_process && host.empty()) return default_malloc ? "" : "--malloc system";
  // A list without any process knob keeps all of them on.
  if (whole_process) process.clear();
  process.insert(process.end(), host.begin(), host.end());
  return fmt::format("--guard {} --knobs {}{}", name_of(host.empty() ? GuardMode::process : GuardMode::host),
                     fmt::join(process, ","), default_malloc ? "" : " --malloc system");
}

void decide_ablation(const AblationRules& rules, Ablation& ablation) {
  ablation.level = rules.level;
  for (AblatedKnob& knob : ablation.knobs) knob.effect = effect_of(knob, rules);
  ablation.recommended = recommended_options(ablation.knobs);
}

}  // namespace stepgate
