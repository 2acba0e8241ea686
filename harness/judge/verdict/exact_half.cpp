#include "judge/verdict/exact_half.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "core/record/fingerprint_mismatches.h"
#include "core/record/loss_sequences.h"
#include "core/undeclared_amounts.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "judge/growth/growth_rule.h"
#include "judge/libraries/calibrated_rule.h"
#include "judge/libraries/library_shapes.h"
#include "judge/rules/bytes_rule.h"
#include "judge/rules/comparable.h"
#include "judge/rules/exact_rule.h"
#include "judge/rules/numeric_rule.h"
#include "judge/rules/trajectory_rule.h"
#include "judge/verdict/gating_metrics.h"
#include "judge/verdict/varying_half.h"

namespace stepgate {
namespace {

const std::map<std::string, StepSequence> no_sequences;
const std::map<std::string, std::vector<std::int64_t>> no_bytes;

template <typename Map>
void add_names(const Map& map, std::set<std::string_view>& names) {
  for (const auto& [name, values] : map) {
    if (!values.empty()) names.insert(name);
  }
}

/// The values under `name`; nullptr if there are none.
template <typename Map>
const typename Map::mapped_type* find_values(const Map& map, std::string_view name) {
  const auto at = map.find(std::string(name));
  return at == map.end() || at->second.empty() ? nullptr : &at->second;
}

/// For a baseline without an exact half every metric would be newer than it.
bool is_of_work(const Baseline* baseline) { return baseline != nullptr && has_exact_half(*baseline); }

/// The metrics of one tier that a side has. A base build that was measured in this run is a side too: no value is
/// stored of a metric that the policy declares to vary, and the base build shows that it can be measured.
template <typename Stored, typename Measured>
std::set<std::string_view> names_of_sides(const Comparison& input, Measured CaseValues::*tier, const Stored& stored) {
  std::set<std::string_view> names;
  add_names(input.current.*tier, names);
  add_names(stored, names);
  if (const CaseValues* base = interleaved_base(input)) add_names(base->*tier, names);
  return names;
}

/// The presence of a metric that at least one side has: if the measurement lacks it, the other side has it.
Presence presence_of(const Metric& metric, bool measured, bool stored) {
  return {metric, measured, stored || !measured};
}

/// The reference of a count that is newer than the baseline: no such event in any step if the metric is judged from
/// zero; else none.
std::optional<StepSequence> counted_from_zero(const Metric& metric, const BaselineSide& side,
                                              const std::vector<StepSequence>* current) {
  if (metric.reference != Reference::zero || current == nullptr || !is_of_work(side.baseline)) return std::nullopt;
  return StepSequence(current->front().size(), 0);
}

/// In the process that looked for them, whatever it was compared with.
MetricVerdict judge_from_always_zero(const Metric& metric, const BaselineSide& side,
                                     const std::vector<StepSequence>& current) {
  std::int64_t most = 0;
  for (const StepSequence& sequence : current) {
    for (const std::int64_t value : sequence) most = std::max(most, value);
  }
  MetricVerdict verdict = open_verdict(metric, side.scope);
  verdict.baseline = 0;
  verdict.current = static_cast<double>(most);
  verdict.limit = "0";
  if (most > 0) {
    settle(verdict, Status::regressed, ReasonCode::above_limit, fmt::format("{}, and there must be none", most));
  } else {
    settle(verdict, Status::pass, ReasonCode::equal, "none");
  }
  return verdict;
}

std::int64_t exact_tolerance_of(const Policy& policy, const Metric& metric) {
  const auto tolerance = policy.exact_tolerance.find(std::string(metric.name));
  return tolerance == policy.exact_tolerance.end() ? 0 : tolerance->second;
}

/// What the libraries make of their calls is no difference of the code, unless a calibration knows it of a real GPU.
void judge_library_sum(const Comparison& input, const Baseline& baseline, std::int64_t tolerance,
                       MetricVerdict& verdict) {
  require_equal_library_shapes(input.current.counts, baseline, verdict);
  if (input.calibration) apply_calibration({*input.calibration, input.current.counts, baseline, tolerance}, verdict);
}

void judge_counts(const Comparison& input, const BaselineSide& side, std::vector<MetricVerdict>& verdicts) {
  // Baselines of older versions hold 0 for an amount that nobody declared.
  const auto stored = without_undeclared(side.baseline == nullptr ? no_sequences : side.baseline->exact);
  for (const Metric& metric : metrics_named(names_of_sides(input, &CaseValues::exact, stored), Tier::exact)) {
    if (metric.reference == Reference::always_zero) {
      const auto* measured = find_values(input.current.exact, metric.name);
      if (measured != nullptr) verdicts.push_back(judge_from_always_zero(metric, side, *measured));
      continue;
    }
    if (const auto varying = judge_varying(input, metric, side.scope)) {
      verdicts.push_back(*varying);
      continue;
    }
    const auto* current = find_values(input.current.exact, metric.name);
    const auto* in_baseline = find_values(stored, metric.name);
    const auto zeros = counted_from_zero(metric, side, current);
    const auto* baseline = in_baseline == nullptr && zeros ? &*zeros : in_baseline;
    const Presence presence = presence_of(metric, current != nullptr, baseline != nullptr);
    if (auto verdict = without_comparison(presence, side, input.current)) {
      verdicts.push_back(*verdict);
      continue;
    }
    const std::int64_t tolerance = exact_tolerance_of(input.policy, metric);
    MetricVerdict verdict = open_verdict(metric, side.scope);
    apply_exact_rule(metric, {*current, *baseline, tolerance}, verdict);
    if (metric.sums_libraries && side.baseline != nullptr) judge_library_sum(input, *side.baseline, tolerance, verdict);
    verdicts.push_back(verdict);
  }
}

/// Two existing measurements cannot get more processes as confirmation, and the values of a few may agree by chance.
void leave_few_processes_open(const Comparison& input, const Metric& metric, MetricVerdict& verdict) {
  const CaseValues* earlier = earlier_values(input);
  if (earlier == nullptr || verdict.status != Status::regressed) return;
  const auto* base = find_values(earlier->bytes, metric.name);
  const auto* head = find_values(input.current.bytes, metric.name);
  const std::int64_t of_base = base == nullptr ? 0 : std::ssize(*base);
  const std::int64_t of_head = head == nullptr ? 0 : std::ssize(*head);
  if (std::min(of_base, of_head) >= confirming_processes) return;
  settle(verdict, Status::inconclusive, ReasonCode::too_few_processes,
         fmt::format("{}; the {} and {} processes may agree by chance, {} of each would decide", verdict.detail,
                     of_base, of_head, confirming_processes));
}

/// The base of a metric that is newer than the baseline: zero if it is judged from zero, else nullptr.
const std::vector<std::int64_t>* judged_from_zero(const Metric& metric, const BaselineSide& side) {
  static const std::vector<std::int64_t> zero = {0};
  return metric.reference == Reference::zero && is_of_work(side.baseline) ? &zero : nullptr;
}

/// What each process of a measured side grew by; empty for a stored one.
std::span<const LevelGrowth> growth_of(const CaseValues* values, std::string_view metric) {
  const auto* found = values == nullptr ? nullptr : find_values(values->growth, metric);
  return found == nullptr ? std::span<const LevelGrowth>() : std::span<const LevelGrowth>(*found);
}

/// The base build, or the earlier measurement, whose processes the exact half is compared with; nullptr: a stored file.
const CaseValues* measured_base(const Comparison& input) {
  const CaseValues* base = interleaved_base(input);
  return base == nullptr ? earlier_values(input) : base;
}

/// What the processes of the other side grew by, measured or stored.
std::span<const LevelGrowth> base_growth(const Comparison& input, const BaselineSide& side, std::string_view metric) {
  if (const CaseValues* base = measured_base(input)) return growth_of(base, metric);
  const auto* stored = side.baseline == nullptr ? nullptr : find_values(side.baseline->growth, metric);
  return stored == nullptr ? std::span<const LevelGrowth>() : std::span<const LevelGrowth>(*stored);
}

void judge_bytes(const Comparison& input, const BaselineSide& side, std::vector<MetricVerdict>& verdicts) {
  const Policy& policy = input.policy;
  const auto& stored = side.baseline == nullptr ? no_bytes : side.baseline->bytes;
  const double share = policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses));
  for (const Metric& metric : metrics_named(names_of_sides(input, &CaseValues::bytes, stored), Tier::bytes)) {
    if (const auto varying = judge_varying(input, metric, side.scope)) {
      verdicts.push_back(*varying);
      continue;
    }
    const auto* current = find_values(input.current.bytes, metric.name);
    const auto* in_baseline = find_values(stored, metric.name);
    const auto* baseline = in_baseline == nullptr ? judged_from_zero(metric, side) : in_baseline;
    const Presence presence = presence_of(metric, current != nullptr, baseline != nullptr);
    if (auto verdict = without_comparison(presence, side, input.current)) {
      verdicts.push_back(*verdict);
      continue;
    }
    MetricVerdict verdict = open_verdict(metric, side.scope);
    const BytesSides bytes{
        .current = *current, .baseline = *baseline, .interleaved = interleaved_base(input) != nullptr};
    apply_growth_rule(metric,
                      {.bytes = bytes,
                       .current = growth_of(&input.current, metric.name),
                       .base = base_growth(input, side, metric.name)},
                      limits_of(metric, policy, share), verdict);
    leave_few_processes_open(input, metric, verdict);
    verdicts.push_back(verdict);
  }
}

/// The facts in which the CPU that computed an emulated GPU's losses differs; mismatches() compares some that no key
/// holds.
std::vector<FingerprintMismatch> mismatches_of_cpu(const NumericTrace& stored, const Fingerprint& found) {
  std::vector<FingerprintMismatch> other = mismatches(stored.key, found);
  std::erase_if(other, [&](const FingerprintMismatch& fact) { return !stored.key.contains(fact.key); });
  return other;
}

void judge_trajectory(const Metric& metric, const Comparison& input, const BaselineSide& side,
                      std::vector<MetricVerdict>& verdicts) {
  std::vector<Trajectory> current;
  for (const NumericTrace& trace : input.current.numerics) {
    const Trajectory* values = numeric_sequence(trace, metric.name);
    current.push_back(values == nullptr ? Trajectory{} : *values);
  }
  const bool measured = std::any_of(current.begin(), current.end(), [](const auto& values) { return !values.empty(); });
  const bool has_stored = side.baseline != nullptr && side.baseline->numerics;
  const Trajectory* stored = has_stored ? numeric_sequence(*side.baseline->numerics, metric.name) : nullptr;

  MetricVerdict verdict = open_verdict(metric, side.scope);
  if (measured && settle_non_finite(current, verdict)) {
    verdicts.push_back(verdict);
  } else if (const auto varying = judge_varying(input, metric, side.scope)) {
    verdicts.push_back(*varying);
  } else if (auto early = without_comparison(presence_of(metric, measured, stored != nullptr), side, input.current)) {
    verdicts.push_back(*early);
  } else if (const auto of_cpu = mismatches_of_cpu(*side.baseline->numerics, input.current.exact_fingerprint);
             !of_cpu.empty()) {
    settle_incompatible(of_cpu, verdict);
    verdicts.push_back(verdict);
  } else {
    const auto steps = static_cast<std::size_t>(input.policy.numeric_steps);
    const NumericTolerance tolerance =
        numeric_tolerance(input.policy, metric.name, {side.scope, dtype_of(input.current.exact_fingerprint)});
    const bool rounded = side.baseline->numerics->rounded;
    apply_numeric_rule({current, *stored, tolerance.rtol, tolerance.atol, steps, rounded}, verdict);
    verdicts.push_back(verdict);
  }
}

/// Loss, further losses and gradient norm, as far as a side has them.
void judge_numerics(const Comparison& input, const BaselineSide& side, std::vector<MetricVerdict>& verdicts) {
  std::vector<std::string> names;
  const auto add = [&](const NumericTrace& trace) {
    for (std::string& name : numeric_metrics(trace)) names.push_back(std::move(name));
  };
  for (const NumericTrace& trace : input.current.numerics) add(trace);
  if (const CaseValues* base = interleaved_base(input)) std::ranges::for_each(base->numerics, add);
  if (side.baseline != nullptr && side.baseline->numerics) add(*side.baseline->numerics);
  for (const Metric& metric : known_metrics({names.begin(), names.end()})) {
    judge_trajectory(metric, input, side, verdicts);
  }
}

/// Judges whole training runs of both builds, two-sided. Its alpha, divided over the suite's cases, is spent in
/// addition to that of the timed half. Builds with different data or parameters are incompatible, never red.
void judge_final_loss(const Comparison& input, const BaselineSide& side, std::vector<MetricVerdict>& verdicts) {
  const PairedReference* paired = paired_reference(input);
  if (paired == nullptr || !paired->trajectories) return;
  const LossTrajectories& trajectories = *paired->trajectories;
  const Metric& metric = *find_metric("final_loss");
  const auto early = without_comparison({metric, true, true}, side, input.current);
  if (early && all_finite(trajectories.head)) {
    verdicts.push_back(*early);
    return;
  }
  const std::int64_t cases = std::max<std::int64_t>(1, input.hypotheses / gating_timed_metrics_per_case(input.device));
  const Policy& policy = input.policy;
  const TrajectoryLimits limits{
      .margins = policy.final_loss_margins, .alpha = policy.alpha / static_cast<double>(cases), .beta = policy.beta};
  MetricVerdict verdict = open_verdict(metric, side.scope);
  apply_trajectory_rule(trajectories.base, trajectories.head, limits, verdict);
  verdicts.push_back(verdict);
}

/// Counts, bytes and losses differ between instruction sets (docs/design/metrics.md, "Portable scope"), so a red names
/// the instruction set of the measurement.
void name_isa(const Comparison& input, std::vector<MetricVerdict>& verdicts) {
  const auto isa = input.current.exact_fingerprint.find("isa");
  const std::string found = isa == input.current.exact_fingerprint.end() ? "unknown" : isa->second;
  for (MetricVerdict& verdict : verdicts) {
    if (verdict.status == Status::regressed) verdict.detail += fmt::format(" (isa {})", found);
  }
}

}  // namespace

std::vector<MetricVerdict> judge_exact_half(const Comparison& input) {
  const BaselineSide side = exact_side(input);
  std::vector<MetricVerdict> verdicts;
  judge_counts(input, side, verdicts);
  judge_bytes(input, side, verdicts);
  judge_numerics(input, side, verdicts);
  judge_final_loss(input, side, verdicts);
  if (side.scope == Scope::portable) name_isa(input, verdicts);
  return verdicts;
}

}  // namespace stepgate
