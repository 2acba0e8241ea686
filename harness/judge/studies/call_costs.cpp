#include "judge/studies/call_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/record/clean_records.h"
#include "core/repeated_place.h"
#include "judge/studies/mean_of_looks.h"
#include "judge/studies/profile_looks.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::vector<const ProfileRun*> clean_runs(const Measurement& repeats) {
  std::vector<const ProfileRun*> runs;
  for (const Replicate& replicate : repeats.replicates) {
    if (const ProfileRun* run = clean_profile_run(replicate)) runs.push_back(run);
  }
  return runs;
}

/// Round -> time of a step in all its blocks of that variant.
std::map<std::int64_t, double> steps_by_round(const ProfileRun& run, std::string_view variant) {
  std::map<std::int64_t, double> wall_ns;
  std::map<std::int64_t, double> steps;
  for (const VariantBlock& block : run.repeats) {
    if (block.variant != variant || block.wall_ns <= 0 || block.steps <= 0) continue;
    wall_ns[block.round] += static_cast<double>(block.wall_ns);
    steps[block.round] += static_cast<double>(block.steps);
  }
  for (auto& [round, ns] : wall_ns) ns /= steps[round];
  return wall_ns;
}

std::int64_t calls_in(const ProfileRun& run, const std::string& place) {
  const auto at = run.repeated_calls.find(place);
  return at == run.repeated_calls.end() ? 0 : at->second;
}

/// The number in the first process in which the calls ran twice.
std::int64_t calls_of(const std::string& place, const std::vector<const ProfileRun*>& runs) {
  for (const ProfileRun* run : runs) {
    if (calls_in(*run, place) > 0) return calls_in(*run, place);
  }
  return 0;
}

/// The cost in one process. The median over its rounds: a burst of interference hits a few blocks.
std::optional<double> cost_in(const ProfileRun& run, const std::string& place) {
  if (calls_in(run, place) <= 0) return std::nullopt;  // its blocks repeat nothing
  const auto unchanged = steps_by_round(run, unchanged_calls);
  const auto passed = steps_by_round(run, passed_calls);
  const double repeating_ns = static_cast<double>(calls_in(run, place)) * run.repeating_ns;
  std::vector<double> costs;
  for (const auto& [round, step_ns] : steps_by_round(run, place)) {
    const auto without = passed.find(round);
    const auto whole = unchanged.find(round);
    if (without == passed.end() || whole == unchanged.end()) continue;
    costs.push_back((step_ns - without->second - repeating_ns) / whole->second);
  }
  if (costs.empty()) return std::nullopt;
  return median(costs);
}

/// Own choice, by measurement: what it costs to repeat a call is measured in a loop, where the caches are warm. 2 048
/// calls of a mask written row by row cost up to 85 ns each beyond the 45 ns of that loop.
constexpr double repeating_beyond_measured = 2;

/// Which share of the step repeating these calls may cost beyond what was taken off, mean over the processes.
double repeating_left(const std::string& place, const std::vector<const ProfileRun*>& runs) {
  double sum = 0;
  int repeated = 0;
  for (const ProfileRun* run : runs) {
    std::vector<double> steps;
    for (const auto& [round, step_ns] : steps_by_round(*run, unchanged_calls)) steps.push_back(step_ns);
    if (calls_in(*run, place) <= 0 || steps.empty()) continue;
    sum += static_cast<double>(calls_in(*run, place)) * run->repeating_ns / median(steps);
    ++repeated;
  }
  return repeated > 0 ? repeating_beyond_measured * sum / repeated : 0;
}

/// One place, one value per process.
LookValues costs_of(const std::string& place, const RepeatedProcesses& processes) {
  LookValues costs;
  for (const Replicate& replicate : processes.repeats.replicates) {
    const ProfileRun* run = clean_profile_run(replicate);
    const auto cost = run == nullptr ? std::nullopt : cost_in(*run, place);
    if (cost) (replicate.index < processes.first_look ? costs.first : costs.further).push_back(*cost);
  }
  return costs;
}

Proof proof_of(const Interval& interval, double margin) {
  if (interval.lower > margin) return Proof::proven;
  return interval.upper < margin ? Proof::refuted : Proof::undecided;
}

struct CostRules {
  double error = 0.05;  ///< of one interval
  double margin = 0.01;
};

void decide_cost(const MeanOfLooks& found, const CostRules& rules, CallCost& result) {
  const double reach = student_t_upper_quantile(rules.error / 2, found.freedom) * found.standard_error;
  result.effect = found.center;
  result.interval = Interval{found.center - reach, found.center + reach};
  result.proof = proof_of(*result.interval, rules.margin);
}

std::string why_no_cost(const std::string& place, const std::vector<const ProfileRun*>& runs) {
  for (const ProfileRun* run : runs) {
    for (const std::string& key : {std::string(repeated_calls), repeated_calls_of(place)}) {
      const auto at = run->absent.find(key);
      if (at != run->absent.end()) return at->second;
    }
  }
  return calls_of(place, runs) == 0 && !runs.empty() ? "no call of it ran on the step's thread"
                                                     : "fewer than two clean processes ran it";
}

/// Smaller comes first.
std::pair<int, double> order_of(const CallCost& cost) {
  constexpr int last = 4;  // behind every rank
  return cost.effect ? std::pair(rank_of(cost.proof), -*cost.effect) : std::pair(last, 0.0);
}

/// The result of a place that only the first look ran; null for any other.
const CallCost* ended_result(const RepeatedProcesses& processes, const CallCost& place) {
  const auto at = std::ranges::find(processes.ended, place.name, &CallCost::name);
  return at == processes.ended.end() ? nullptr : &*at;
}

bool is_told_too_widely(const CallCost& cost) {
  const Interval told = gain_of(cost);
  return cost.proof == Proof::proven && *cost.effect >= gain_worth_processes &&
         told.upper - told.lower > widest_told * *cost.effect;
}

}  // namespace

std::vector<CallCost> call_costs(std::vector<CallCost> places, const RepeatedProcesses& processes,
                                 const ExperimentRules& rules) {
  const auto runs = clean_runs(processes.repeats);
  std::vector<LookValues> all;
  for (const CallCost& place : places) all.push_back(costs_of(place.name, processes));
  const ScatterOfLooks shared = pooled_by_look(all);
  const auto has_effect = [](const LookValues& costs) { return costs.first.size() + costs.further.size() >= 2; };
  const auto effects = static_cast<double>(std::ranges::count_if(all, has_effect));
  for (std::size_t i = 0; i < places.size(); ++i) {
    CallCost& place = places[i];
    if (const CallCost* ended = ended_result(processes, place)) {
      place = *ended;
      continue;
    }
    place.processes = std::ssize(all[i].first) + std::ssize(all[i].further);
    place.calls = calls_of(place.name, runs);
    if (const auto found = mean_of_looks(all[i], &shared)) {
      decide_cost(*found, {.error = (1 - rules.level) / effects, .margin = rules.ignore_margin}, place);
      place.most_repeating = repeating_left(place.name, runs);
      if (place.most_overshoot) *place.most_overshoot += *place.most_repeating;
    } else {
      place.absent = why_no_cost(place.name, runs);
    }
  }
  std::ranges::stable_sort(places, {}, order_of);
  return places;
}

std::vector<std::string> places_of_next_look(const std::vector<CallCost>& now) {
  std::vector<std::string> chosen;
  for (const CallCost& cost : now) {
    if (!cost.effect) continue;
    const bool is_open = cost.proof == Proof::undecided && gain_of(cost).upper >= gain_worth_processes;
    if (is_open || is_told_too_widely(cost)) chosen.push_back(cost.name);
  }
  return chosen;
}

std::vector<CallCost> ended_before(std::vector<CallCost> results, const std::vector<std::string>& chosen) {
  std::erase_if(results, [&](const CallCost& cost) {
    return !cost.effect || std::ranges::find(chosen, cost.name) != chosen.end();
  });
  return results;
}

}  // namespace stepgate
