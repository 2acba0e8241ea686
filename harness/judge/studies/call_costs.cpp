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
#include "judge/studies/pooled_scatter.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::vector<const ProfileRun*> clean_runs(const Measurement& repeats) {
  std::vector<const ProfileRun*> runs;
  for (const RunRecord* record : clean_records(repeats, Group::profile)) {
    if (record->profile) runs.push_back(&*record->profile);
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

/// One place, one value per process.
using ProcessCosts = std::vector<double>;

ProcessCosts costs_of(const std::string& place, const std::vector<const ProfileRun*>& runs) {
  ProcessCosts costs;
  for (const ProfileRun* run : runs) {
    if (const auto cost = cost_in(*run, place)) costs.push_back(*cost);
  }
  return costs;
}

bool has_effect(const ProcessCosts& costs) { return costs.size() >= 2; }

/// Quantile of the intervals of all places together.
double quantile_of(const std::vector<ProcessCosts>& all, const PooledScatter& pooled, double level) {
  const auto places = static_cast<double>(std::ranges::count_if(all, has_effect));
  return places == 0 ? 0 : student_t_upper_quantile((1 - level) / places / 2, pooled.freedom);
}

Proof proof_of(const Interval& interval, double margin) {
  if (interval.lower > margin) return Proof::proven;
  return interval.upper < margin ? Proof::refuted : Proof::undecided;
}

void decide_cost(const ProcessCosts& costs, double reach, double margin, CallCost& result) {
  const double effect = mean(costs);
  result.effect = effect;
  result.interval = Interval{effect - reach, effect + reach};
  result.proof = proof_of(*result.interval, margin);
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

}  // namespace

std::vector<CallCost> call_costs(std::vector<CallCost> places, const Measurement& repeats,
                                 const ExperimentRules& rules) {
  const auto runs = clean_runs(repeats);
  std::vector<ProcessCosts> all;
  for (const CallCost& place : places) all.push_back(costs_of(place.name, runs));
  const PooledScatter pooled = pooled_scatter(all);
  const double t = quantile_of(all, pooled, rules.level);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CallCost& place = places[i];
    place.processes = std::ssize(all[i]);
    place.calls = calls_of(place.name, runs);
    if (has_effect(all[i])) {
      const double error = std::sqrt(shared_variance(all[i], pooled) / static_cast<double>(all[i].size()));
      decide_cost(all[i], t * error, rules.ignore_margin, place);
    } else {
      place.absent = why_no_cost(place.name, runs);
    }
  }
  std::ranges::stable_sort(places, {}, order_of);
  return places;
}

}  // namespace stepgate
