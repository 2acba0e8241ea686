#include "judge/studies/experiment_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/record/clean_records.h"
#include "core/study/experiment_contrast.h"
#include "core/text/number_format.h"
#include "judge/studies/experiment_blocks.h"
#include "judge/studies/mean_of_looks.h"
#include "judge/studies/replay_gain.h"
#include "stats/mean_interval.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Monotone from the estimate's scale to the effect: the log of a ratio to a gain, or nothing for a criticality.
enum class Scale { gain, ratio, change, plain };

double effect_at(Scale scale, double value) {
  switch (scale) {
    case Scale::gain:
      return -std::expm1(value);
    case Scale::ratio:
      return std::exp(value);
    case Scale::change:
      return std::expm1(value);
    case Scale::plain:
      return value;
  }
  return value;
}

/// Effect -> what the experiment claims to be above the margin.
double claim_at(Claim claim, double effect) {
  switch (claim) {
    case Claim::effect:
      return effect;
    case Claim::fixed_share:
      return 2 - effect;
    case Claim::saved_time:
      return 1 - effect;
    case Claim::small_tax:
      return effect - 1;
  }
  return effect;
}

struct Found {
  std::optional<MeanOfLooks> estimate = std::nullopt;  ///< from the processes of the experiment, before any interval
  LookValues logs = {};                                ///< of a gain in blocks: one log ratio per process
  Scale scale = Scale::plain;
  double margin_factor = 1;  ///< the margin of the claim is ignore_margin times this
  std::string remark = {};
  std::string absent = {};
};

/// ln of the mean step of the e2e pass, one per clean timed process; steps with a new shape do not count.
std::vector<double> log_step_times(const Measurement& measurement) {
  std::vector<double> logs;
  for (const RunRecord* record : clean_records(measurement, Group::timed)) {
    const auto pass = record->timed.find("e2e");
    if (pass == record->timed.end()) continue;
    double wall_ns = 0;
    double steps = 0;
    const bool by_window = pass->second.clock != "steady_clock" && !pass->second.windows.empty();
    for (const Window& window : pass->second.windows) {
      if (!by_window || window.left_out()) continue;
      wall_ns += static_cast<double>(window.wall_ns);
      steps += static_cast<double>(window.steps);
    }
    for (const StepSample& step : pass->second.steps) {
      if (by_window || step.left_out()) continue;
      wall_ns += static_cast<double>(step.wall_ns);
      steps += 1;
    }
    if (wall_ns > 0 && steps > 0) logs.push_back(std::log(wall_ns / steps));
  }
  return logs;
}

double sum_of_squares(const std::vector<double>& values) {
  return values.size() < 2 ? 0 : sample_variance(values) * static_cast<double>(values.size() - 1);
}

/// Three samples of processes on the log scale. `beside` lends its scatter alone.
struct LogSamples {
  const std::vector<double>& doubled;
  const std::vector<double>& baseline;
  const std::vector<double>& beside;
};

std::optional<MeanOfLooks> difference_of(const LogSamples& samples) {
  const auto& [doubled, baseline, beside] = samples;
  double freedom = 0;
  double squares = 0;
  for (const auto* sample : {&doubled, &baseline, &beside}) {
    freedom += sample->empty() ? 0 : static_cast<double>(sample->size()) - 1;
    squares += sum_of_squares(*sample);
  }
  if (doubled.empty() || baseline.empty() || freedom < 1) return std::nullopt;
  const double variance = squares / freedom;
  const double inverse = 1 / static_cast<double>(doubled.size()) + 1 / static_cast<double>(baseline.size());
  return MeanOfLooks{.center = mean(doubled) - mean(baseline),
                     .standard_error = std::sqrt(variance * inverse),
                     .freedom = freedom,
                     .processes = std::ssize(doubled)};
}

Found of_process(const Measurement* doubled, const ExperimentProcesses& processes) {
  Found found{.scale = Scale::ratio};
  if (doubled == nullptr) {
    found.absent = "it was not run";
    return found;
  }
  found.estimate =
      difference_of({log_step_times(*doubled), log_step_times(processes.timed), log_baseline_steps(processes.profile)});
  if (!found.estimate) found.absent = "too few clean processes: one with the change and two without are needed";
  return found;
}

/// A delay that a resource can hide up to some size acts more than in proportion.
std::string bend_remark(const std::vector<double>& bend, double level) {
  if (bend.size() < 2) return "";
  const MeanInterval interval = mean_interval(bend, level);
  if (interval.lower <= 0 && interval.upper >= 0) return "";
  return fmt::format(
      "not linear: the share of a delay that reaches the step differs by {:+.2f} [{:+.2f}, {:+.2f}] "
      "between the larger and the smaller delay",
      interval.mean, interval.lower, interval.upper);
}

Found of_delays(const DelayResponse& response, const ExperimentRules& rules) {
  return {.estimate = mean_of_looks(response.criticality),
          .scale = Scale::plain,
          .margin_factor = response.largest_share > 0 ? 1 / response.largest_share : 1,
          .remark = bend_remark(response.bend, rules.level)};
}

Scale block_scale(Effect effect) {
  if (effect == Effect::gain) return Scale::gain;
  return effect == Effect::criticality ? Scale::change : Scale::ratio;
}

Found of_blocks(const ExperimentRow& row, const ExperimentProcesses& processes, const ExperimentRules& rules) {
  const LookedAt looked{.profile = processes.profile, .first_look = processes.first_look};
  if (row.effect == Effect::criticality) {
    const auto response = delay_response(looked, row.name);
    if (response) return of_delays(*response, rules);
  }
  LookValues logs = log_block_ratios(looked, row.name, row.compared_with ? name_of(*row.compared_with) : "baseline");
  // How much shorter the step of this experiment becomes by the other one.
  if (row.compared_with && row.effect == Effect::gain) {
    for (std::vector<double>* of_look : {&logs.first, &logs.further}) {
      for (double& each : *of_look) each = -each;
    }
  }
  const auto estimate = mean_of_looks(logs);
  if (row.effect != Effect::gain) logs = {};
  return {.estimate = estimate, .logs = std::move(logs), .scale = block_scale(row.effect)};
}

Found of_replays(const Measurement& profile) {
  const auto best = best_replay_gain(profile);
  if (!best) return {.absent = "no operator that costs more than its calls was replayed in another form"};
  return {.estimate = mean_of_looks({.first = best->shares}), .remark = fmt::format("{}: {}", best->site, best->form)};
}

Found find(const ExperimentRow& row, const ExperimentProcesses& processes, const ExperimentRules& rules) {
  switch (row.arrangement) {
    case Arrangement::later:
      return {.absent = "needs a device at hand: stepgate does not run it yet"};
    case Arrangement::replay:
      return of_replays(processes.profile);
    case Arrangement::process:
      return of_process(
          row.experiment == Experiment::doubled_batch ? processes.doubled_batch : processes.doubled_threads, processes);
    case Arrangement::block:
      return of_blocks(row, processes, rules);
  }
  return {};
}

/// The reason that a process gave; else what is known here.
std::string why_absent(const ExperimentRow& row, const Found& found, const Measurement& profile) {
  for (const RunRecord* record : clean_records(profile, Group::profile)) {
    if (!record->profile) continue;
    const auto at = record->profile->absent.find(std::string(row.name));
    if (at != record->profile->absent.end()) return at->second;
  }
  return found.absent.empty() ? "fewer than two clean processes have blocks of it" : found.absent;
}

/// Bounds of the claim in ascending order.
Interval claim_of(Claim claim, const Interval& effect) {
  const double a = claim_at(claim, effect.lower);
  const double b = claim_at(claim, effect.upper);
  return {std::min(a, b), std::max(a, b)};
}

Interval interval_at(const Found& found, double half_width) {
  const double a = effect_at(found.scale, found.estimate->center - half_width);
  const double b = effect_at(found.scale, found.estimate->center + half_width);
  return {std::min(a, b), std::max(a, b)};
}

Proof word_of(const ExperimentRow& row, const Interval& claim, double margin) {
  const bool stays_below = row.claim == Claim::small_tax;
  if (claim.lower > margin) return stays_below ? Proof::refuted : Proof::proven;
  if (claim.upper < margin) return stays_below ? Proof::proven : Proof::refuted;
  return Proof::undecided;
}

/// Further processes of the profile help only experiments that run within them.
bool gains_from_more_processes(const ExperimentRow& row) {
  return row.arrangement == Arrangement::block || row.arrangement == Arrangement::replay;
}

/// Further processes after which the interval would lie on one side of the margin if mean and scatter stay as they are.
std::optional<std::int64_t> processes_to_decide(const ExperimentRow& row, const Found& found, double margin,
                                                const ExperimentRules& rules, double level) {
  const MeanOfLooks& estimate = *found.estimate;
  const auto have = static_cast<double>(estimate.processes);
  for (std::int64_t m = estimate.processes + 1; m <= rules.most_processes; ++m) {
    const double more = static_cast<double>(m) - have;
    const double t = student_t_upper_quantile((1 - level) / 2, estimate.freedom + more);
    const double half_width = t * estimate.standard_error * std::sqrt(have / static_cast<double>(m));
    const Interval claim = claim_of(row.claim, interval_at(found, half_width));
    if (word_of(row, claim, margin) != Proof::undecided) return m - estimate.processes;
  }
  return std::nullopt;
}

void decide(const ExperimentRow& row, const Found& found, const ExperimentRules& rules, double level,
            ExperimentResult& result) {
  const double margin = rules.ignore_margin * found.margin_factor;
  const double t = student_t_upper_quantile((1 - level) / 2, found.estimate->freedom);
  result.processes = found.estimate->processes;
  result.effect = effect_at(found.scale, found.estimate->center);
  result.interval = interval_at(found, t * found.estimate->standard_error);
  result.remark = found.remark;
  result.proof = word_of(row, claim_of(row.claim, *result.interval), margin);
  if (result.proof == Proof::undecided && gains_from_more_processes(row)) {
    result.more_processes = processes_to_decide(row, found, margin, rules, level);
  }
  // A replay of one operator does not time the step: its gain is at best predicted.
  if (row.effect == Effect::predicted && result.proof == Proof::proven) result.proof = Proof::predicted;
}

/// Blocks in which something is taken away run in the same processes, in the same rounds, with the same noise. What
/// loads another core or delays a batch scatters otherwise: a thief up to ten times as much.
void share_scatter(std::array<Found, experiment_table.size()>& found) {
  std::vector<LookValues> samples;
  for (const Found& each : found) samples.push_back(each.logs);
  const ScatterOfLooks shared = pooled_by_look(samples);
  for (Found& each : found) {
    if (!each.logs.first.empty() || !each.logs.further.empty()) each.estimate = mean_of_looks(each.logs, &shared);
  }
}

/// The result of an experiment that the latest processes no longer ran; null for any other.
const ExperimentResult* ended_result(const ExperimentProcesses& processes, Experiment experiment) {
  const auto at = std::ranges::find(processes.ended, experiment, &ExperimentResult::experiment);
  return at == processes.ended.end() ? nullptr : &*at;
}

ExperimentResult& result_of(std::vector<ExperimentResult>& results, Experiment experiment) {
  return results[static_cast<std::size_t>(experiment)];
}

/// If a delay of the input does not reach the step, removing the input cannot win time: one of the two was measured
/// wrong.
void mark_contradiction(const ExperimentRules& rules, std::vector<ExperimentResult>& results) {
  const ExperimentResult& delayed = result_of(results, Experiment::delayed_loader);
  const ExperimentResult& copy = result_of(results, Experiment::resident_batch);
  ExperimentResult& gain = result_of(results, Experiment::synthetic_batch);
  if (delayed.proof != Proof::refuted || gain.proof != Proof::proven) return;
  const Interval loader = copy.interval ? gain_beyond(*gain.interval, *copy.interval) : *gain.interval;
  if (loader.lower <= rules.ignore_margin) return;  // it is the copy that wins
  gain.proof = Proof::undecided;
  gain.remark = fmt::format(
      "contradicts delayed-loader: without the loader the step wins at least {}, but a delay of "
      "the loader does not reach it; one of the two was disturbed",
      share_text(loader.lower));
}

}  // namespace

std::vector<ExperimentResult> experiment_results(const ExperimentProcesses& processes, const ExperimentRules& rules) {
  std::array<Found, experiment_table.size()> found;
  std::int64_t run = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = find(experiment_table[i], processes, rules);
    run += found[i].estimate ? 1 : 0;
  }
  share_scatter(found);
  std::vector<ExperimentResult> results;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const ExperimentResult* ended = ended_result(processes, experiment_table[i].experiment)) {
      results.push_back(*ended);
      continue;
    }
    ExperimentResult& result = results.emplace_back();
    result.experiment = experiment_table[i].experiment;
    if (found[i].estimate) {
      decide(experiment_table[i], found[i], rules, 1 - (1 - rules.level) / static_cast<double>(run), result);
    } else {
      result.absent = why_absent(experiment_table[i], found[i], processes.profile);
    }
  }
  mark_contradiction(rules, results);
  return results;
}

}  // namespace stepgate
