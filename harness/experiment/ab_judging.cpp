#include "experiment/ab_judging.h"

#include <algorithm>

#include "baseline/baseline_key.h"
#include "baseline/find_baseline.h"
#include "baseline/make_baseline.h"
#include "core/error.h"
#include "experiment/advice.h"
#include "experiment/background.h"
#include "experiment/bytes_confirmation.h"
#include "judge/reduce/case_values.h"
#include "judge/reduce/paired_values.h"
#include "judge/rules/bytes_rule.h"

namespace stepgate {
namespace {

void append(Measurement& into, const Measurement& from) {
  if (into.case_name.empty()) {
    into = from;
    return;
  }
  into.replicates.insert(into.replicates.end(), from.replicates.begin(), from.replicates.end());
}

/// One side's processes as one measurement.
Measurement side_of(const AbMeasured& measured, Measurement MeasuredPair::*side,
                    Measurement ExactMeasurements::*exact) {
  Measurement all;
  if (measured.exact) append(all, (*measured.exact).*exact);
  for (const MeasuredPair& pair : measured.timed.pairs) append(all, pair.*side);
  return all;
}

PairedValues values_of(const AbCase& ab, const AbMeasured& measured) {
  PairedValues values = paired_values(measured.timed.pairs);
  values.most_pairs = ab.plan.most_pairs;
  values.finished = measured.timed.finished;
  values.control = measured.control;
  return values;
}

/// Counts, bytes and losses of the base build in the place of a stored baseline.
void hold_against_base(const AbCase& ab, const CaseValues& base, CaseValues& head, OtherSide& other) {
  const bool on_cuda = ab.entry.device == "cuda";
  try {
    Baseline fresh = make_baseline({.values = base,
                                    .scope = on_cuda ? Scope::runner : Scope::portable,
                                    .runner_class = "",
                                    .utc = ab.plan.utc,
                                    .unix_s = 0,
                                    .commit = ab.plan.base_commit,
                                    .with_times = false,
                                    .keyed_by_exact = !other.pairs});
    if (!on_cuda) {
      other.portable = std::move(fresh);
      return;
    }
    // The stored file's sessions stay: they say whether the machine moved.
    if (other.runner && mismatches(other.runner->key, fresh.key).empty()) fresh.sessions = other.runner->sessions;
    other.runner = std::move(fresh);
  } catch (const Error& error) {
    head.failures.push_back(std::string("base build: ") + error.what());
  }
}

/// One value a process instead of the distinct ones of a stored file: what the range rule needs.
void take_each_process(const CaseValues& base, OtherSide& other) {
  other.interleaved_bytes = true;
  for (auto* side : {&other.portable, &other.runner}) {
    if (!*side) continue;
    for (auto& [metric, values] : (*side)->bytes) {
      if (const auto found = base.bytes.find(metric); found != base.bytes.end()) values = found->second;
    }
  }
}

/// The base's failures are the case's: without it there is no verdict.
void take_failures(const CaseValues& base, CaseValues& head) {
  for (const std::string& failure : base.failures) head.failures.push_back("base build: " + failure);
}

/// Nor is there one without the control that was begun.
void take_control_failures(const AbMeasured& measured, CaseValues& head) {
  for (const MeasuredPair& pair : measured.timed.control) {
    for (const Measurement* side : {&pair.base, &pair.head}) {
      for (const std::string& failure : case_values(*side).failures) head.failures.push_back("control: " + failure);
    }
  }
}

OtherSide timed_other_side(const Context& context, const AbCase& ab, const AbMeasured& measured) {
  OtherSide other;
  other.pairs = values_of(ab, measured);
  // Stored sessions say whether the machine itself is slower than it was; they decide nothing here.
  other.runner = find_baseline(context.baseline_root, context.options.runner_class, ab.entry.name);
  return other;
}

void mark_pair_mismatches(const CaseValues& base, const CaseValues& head, OtherSide& other) {
  if (base.clean_timed == 0 || head.clean_timed == 0) return;  // nothing of the processes themselves is known
  other.pair_mismatches = mismatches(runner_key(base.timed_fingerprint), runner_key(head.timed_fingerprint));
}

void describe_base(const AbCase& ab, Outcome& outcome) {
  outcome.baseline_summary = "base build " + (ab.plan.base_commit.empty() ? "of unknown commit" : ab.plan.base_commit);
  outcome.baseline_commit = ab.plan.base_commit;
}

}  // namespace

Measurement head_measurement(const AbMeasured& measured) {
  return side_of(measured, &MeasuredPair::head, &ExactMeasurements::head);
}

bool pairs_decide(const Context& context, const AbCase& ab, const PairsSoFar& so_far) {
  const AbMeasured measured{.timed = so_far, .exact = std::nullopt, .control = std::nullopt};
  Context timed_only = context;
  timed_only.options.tier = "timed";
  const CaseValues head = case_values(head_measurement(measured));
  const CaseVerdict verdict = judge_against(timed_only, ab.entry, head, timed_other_side(timed_only, ab, measured));
  const auto any = [&](Status status) {
    return std::any_of(verdict.metrics.begin(), verdict.metrics.end(),
                       [&](const MetricVerdict& metric) { return metric.gating && metric.status == status; });
  };
  return any(Status::regressed) || !any(Status::inconclusive);
}

Outcome judge_ab(const Context& context, const AbCase& ab, const AbMeasured& measured) {
  const Measurement head_all = head_measurement(measured);
  const Measurement base_all = side_of(measured, &MeasuredPair::base, &ExactMeasurements::base);
  const CaseValues base = case_values(base_all);
  CaseValues head = case_values(head_all);
  take_failures(base, head);
  take_control_failures(measured, head);
  if (measured.trajectories)
    head.failures.insert(head.failures.end(), measured.trajectories->failures.begin(),
                         measured.trajectories->failures.end());
  OtherSide other = timed_other_side(context, ab, measured);
  if (!wants(context, ab.entry, "timed")) other.pairs.reset();
  if (wants(context, ab.entry, "exact") && base.failures.empty()) hold_against_base(ab, base, head, other);
  if (measured.exact && measured.exact->interleaved) take_each_process(base, other);
  other.trajectories = measured.trajectories;
  mark_pair_mismatches(base, head, other);
  Outcome outcome = explain(context, ab.entry, head, other);
  outcome.group = "ab";
  add_failures(base_all, outcome);
  add_failures(head_all, outcome);
  outcome.reproduce_command = ab_command(context, ab.entry, ab.plan.order_seed);
  describe_base(ab, outcome);
  return outcome;
}

bool bytes_need_confirmation(const Context& context, const AbCase& ab, const ExactMeasurements& sides) {
  if (has_failed(sides.base) || has_failed(sides.head)) return false;
  if (exact_processes(sides.base) >= confirming_processes) return false;
  return bytes_grew(case_values(sides.base), case_values(sides.head), read_policy(context, ab.entry.suite));
}

Outcome judge_confirmed(const Context& context, const AbCase& ab, const AbMeasured& measured,
                        const Measurement& screened) {
  Measurement both = screened;
  std::erase_if(both.replicates, [](const Replicate& replicate) { return replicate.group != Group::exact; });
  append(both, head_measurement(measured));
  const CaseValues base = case_values(side_of(measured, &MeasuredPair::base, &ExactMeasurements::base));
  CaseValues head = case_values(both);
  take_failures(base, head);
  take_control_failures(measured, head);
  OtherSide other = timed_other_side(context, ab, measured);
  if (wants(context, ab.entry, "exact")) other.portable = stored_side(context, ab.entry).portable;
  mark_pair_mismatches(base, head, other);
  Outcome outcome = explain(context, ab.entry, head, other);
  const BothBaselines baselines{other.portable ? &*other.portable : nullptr, other.runner ? &*other.runner : nullptr};
  add_failures(both, outcome);
  add_advice(context, ab.entry, baselines, outcome);
  add_background(context, baselines, head, outcome);
  outcome.reproduce_command = ab_command(context, ab.entry, ab.plan.order_seed);
  return outcome;
}

}  // namespace stepgate
