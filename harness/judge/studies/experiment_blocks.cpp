#include "judge/studies/experiment_blocks.h"

#include <cmath>
#include <cstdint>
#include <map>

#include "core/record/clean_records.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Blocks of one round and variant together.
struct BlockSteps {
  double wall_ns = 0;
  double steps = 0;

  void add(const VariantBlock& block) {
    wall_ns += static_cast<double>(block.wall_ns);
    steps += static_cast<double>(block.steps);
  }
  bool usable() const { return wall_ns > 0 && steps > 0; }
  double step_ns() const { return wall_ns / steps; }
};

using Rounds = std::map<std::int64_t, BlockSteps>;

std::map<std::int64_t, Rounds> rounds_by_delay(const ProfileRun& run, std::string_view variant) {
  std::map<std::int64_t, Rounds> found;
  for (const VariantBlock& block : run.blocks) {
    if (block.variant == variant) found[block.delay_ns][block.round].add(block);
  }
  return found;
}

Rounds rounds_of(const ProfileRun& run, std::string_view variant) {
  Rounds found;
  for (const VariantBlock& block : run.blocks) {
    if (block.variant == variant) found[block.round].add(block);
  }
  return found;
}

/// The median over the rounds that both have: a burst of interference that hits a few blocks moves a mean of a
/// handful of rounds by tens of percent, and a median hardly (seen on a shared machine: blocks of one variant between
/// 5.8 and 13 ms a step).
std::optional<double> typical_log_ratio(const Rounds& variant, const Rounds& reference) {
  std::vector<double> logs;
  for (const auto& [round, steps] : variant) {
    const auto at = reference.find(round);
    if (at == reference.end() || !steps.usable() || !at->second.usable()) continue;
    logs.push_back(std::log(steps.step_ns() / at->second.step_ns()));
  }
  if (logs.empty()) return std::nullopt;
  return median(logs);
}

double typical_step_ns(const Rounds& rounds) {
  std::vector<double> logs;
  for (const auto& [round, steps] : rounds) {
    if (steps.usable()) logs.push_back(std::log(steps.step_ns()));
  }
  return logs.empty() ? 0 : std::exp(median(logs));
}

/// One delay of one process, and by how much it lengthened the step.
struct Delayed {
  double delay_ns = 0;
  double longer_ns = 0;
};

std::vector<Delayed> delays_of(const ProfileRun& run, std::string_view variant, double step_ns,
                               const Rounds& baseline) {
  std::vector<Delayed> found;
  for (const auto& [delay_ns, rounds] : rounds_by_delay(run, variant)) {
    const auto ratio = typical_log_ratio(rounds, baseline);
    if (delay_ns > 0 && ratio) found.push_back({static_cast<double>(delay_ns), step_ns * std::expm1(*ratio)});
  }
  return found;
}

double slope_through_origin(const std::vector<Delayed>& delays) {
  double products = 0;
  double squares = 0;
  for (const Delayed& each : delays) {
    products += each.delay_ns * each.longer_ns;
    squares += each.delay_ns * each.delay_ns;
  }
  return products / squares;
}

std::vector<double>& look_of(const Replicate& replicate, const LookedAt& looked, LookValues& values) {
  return replicate.index < looked.first_look ? values.first : values.further;
}

}  // namespace

LookValues log_block_ratios(const LookedAt& looked, std::string_view variant, std::string_view reference) {
  LookValues values;
  for (const Replicate& replicate : looked.profile.replicates) {
    const ProfileRun* run = clean_profile_run(replicate);
    if (run == nullptr) continue;
    const auto ratio = typical_log_ratio(rounds_of(*run, variant), rounds_of(*run, reference));
    if (ratio) look_of(replicate, looked, values).push_back(*ratio);
  }
  return values;
}

std::vector<double> log_baseline_steps(const Measurement& profile) {
  std::vector<double> values;
  for (const RunRecord* record : clean_records(profile, Group::profile)) {
    const double step_ns = record->profile ? typical_step_ns(rounds_of(*record->profile, "baseline")) : 0;
    if (step_ns > 0) values.push_back(std::log(step_ns));
  }
  return values;
}

std::optional<DelayResponse> delay_response(const LookedAt& looked, std::string_view variant) {
  DelayResponse response;
  std::vector<double> shares;
  for (const Replicate& replicate : looked.profile.replicates) {
    const ProfileRun* run = clean_profile_run(replicate);
    if (run == nullptr) continue;
    const Rounds baseline = rounds_of(*run, "baseline");
    const double step_ns = typical_step_ns(baseline);
    const auto delays = delays_of(*run, variant, step_ns, baseline);
    if (delays.empty()) continue;
    look_of(replicate, looked, response.criticality).push_back(slope_through_origin(delays));
    shares.push_back(delays.back().delay_ns / step_ns);
    if (delays.size() > 1) {
      response.bend.push_back(delays.back().longer_ns / delays.back().delay_ns -
                              delays.front().longer_ns / delays.front().delay_ns);
    }
  }
  if (shares.empty()) return std::nullopt;
  response.largest_share = mean(shares);
  return response;
}

}  // namespace stepgate
