#include "experiment/pairs/pair_judgement.h"

#include <algorithm>

#include "baseline/baseline_key.h"
#include "baseline/make_baseline.h"
#include "core/error.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/stored/gating_rates.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/case_judgement.h"
#include "judge/growth/growth_rule.h"
#include "judge/reduce/flop_rate.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "judge/reduce/reduce_case.h"
#include "judge/rules/bytes_rule.h"
#include "judge/verdict/paired_verdict.h"
#include "judge/verdict/varying_half.h"

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
Measurement side_of(const PairMeasurement& measured, Measurement MeasuredPair::*side,
                    Measurement ExactMeasurements::*exact) {
  Measurement all;
  if (measured.exact) append(all, (*measured.exact).*exact);
  for (const MeasuredPair& pair : measured.timed.pairs) append(all, pair.*side);
  return all;
}

/// `head` holds the head's processes of these pairs.
PairedValues values_of(const PairCase& pair_case, const PairsSoFar& timed, const std::optional<ControlResult>& control,
                       const CaseValues& head) {
  PairedValues values = paired_values(timed.pairs);
  add_utilisation(head, values);
  values.most_pairs = pair_case.plan.most_pairs;
  values.asked = pair_case.asked;
  values.finished = timed.finished;
  values.control = control;
  return values;
}

/// A failure of the base fails the case: without the base there is no verdict.
void take_failures_of_base(const CaseValues& base, Comparison& comparison) {
  if (comparison.current.failures.empty()) {
    comparison.current.changed_setting = base.changed_setting;
    comparison.current.infrastructure = base.infrastructure;
    comparison.current.needs_values = base.needs_values;
  }
  for (const std::string& failure : base.failures) comparison.current.failures.push_back("base build: " + failure);
}

/// A failure of the control fails the case too: a control that was begun must end.
void take_failures_of_control(const PairsSoFar& timed, Comparison& comparison) {
  for (const MeasuredPair& pair : timed.control) {
    for (const Measurement* side : {&pair.base, &pair.head}) {
      for (const std::string& failure : case_values(*side).failures)
        comparison.current.failures.push_back("control: " + failure);
    }
  }
}

/// The base build's counts, bytes and losses, used like a stored baseline.
void take_exact_half(const PairCase& pair_case, const CaseValues& base, Comparison& comparison) {
  try {
    comparison.exact = make_baseline({.values = base,
                                      .scope = comparison.device == Device::cuda ? Scope::device : Scope::portable,
                                      .runner_class = "",
                                      .utc = pair_case.plan.utc,
                                      .unix_s = 0,
                                      .commit = pair_case.plan.base_commit,
                                      .varying = varying_metrics(comparison.policy.varying, base.case_name),
                                      .same_machine = true,
                                      .policy = &comparison.policy});
  } catch (const Error& error) {
    comparison.current.failures.push_back(std::string("base build: ") + error.what());
  }
}

/// One value a process instead of the distinct ones of a stored file: what the range rule needs.
void take_bytes_of_each_process(const CaseValues& base, Comparison& comparison) {
  if (!comparison.exact) return;
  for (auto& [metric, values] : comparison.exact->bytes) {
    if (const auto found = base.bytes.find(metric); found != base.bytes.end()) values = found->second;
  }
}

ControlNeed control_need(const JudgedComparison& judged) {
  const PairedContext context = paired_context(judged);
  ControlNeed need = ControlNeed::none;
  for (const MetricVerdict& verdict : judged.verdict.metrics) {
    const Metric* metric = find_metric(verdict.metric);
    if (metric == nullptr) continue;
    if (!metric->gates && !gates_rate(judged.policy, judged.current.case_name, verdict.metric)) continue;
    const auto compared = compare_pairs(*metric, context);
    if (!compared) continue;
    if (compared->decision.call == Call::regressed) return ControlNeed::level;
    if (compared->decision.red_after) need = ControlNeed::beside;
  }
  return need;
}

std::vector<FingerprintMismatch> mismatches_of_pairs(const CaseValues& base, const CaseValues& head) {
  if (base.clean_timed == 0 || head.clean_timed == 0) return {};  // nothing of the processes themselves is known
  return mismatches(runner_key(base.timed_fingerprint), runner_key(head.timed_fingerprint));
}

Fingerprint switches_of_pairs(const CaseValues& base) {
  return base.clean_timed == 0 ? Fingerprint{} : switches_beside_key(base.timed_fingerprint, Scope::runner);
}

}  // namespace

Measurement head_processes(const PairMeasurement& measured) {
  return side_of(measured, &MeasuredPair::head, &ExactMeasurements::head);
}

Measurement base_processes(const PairMeasurement& measured) {
  return side_of(measured, &MeasuredPair::base, &ExactMeasurements::base);
}

std::int64_t exact_processes_wanted(const Project& head, const PairCase& pair_case, const ExactMeasurements& sides) {
  if (has_failed(sides.base) || has_failed(sides.head)) return 0;
  const CaseValues values = case_values(sides.head);
  const CaseValues base = case_values(sides.base);
  const bool grew = bytes_grew(base, values, pair_case.case_plan.files.policy) || may_grow_more(base, values);
  const std::int64_t for_bytes = grew ? confirming_processes : 0;
  Comparison comparison = comparison_of(head, pair_case.case_plan, values);
  comparison.reference = PairedReference{.interleaved = base};  // shows which losses an operator makes vary
  return std::max(for_bytes, processes_to_judge_varying(comparison));
}

PairsLook look_at_pairs(const Project& head, const PairCase& pair_case, const PairsSoFar& so_far) {
  Measurement processes;
  Measurement of_base;
  for (const MeasuredPair& pair : so_far.pairs) {
    append(processes, pair.head);
    append(of_base, pair.base);
  }
  Comparison comparison = comparison_of(head, pair_case.case_plan, case_values(processes));
  comparison.judge_exact = false;
  comparison.reference = PairedReference{.pairs = values_of(pair_case, so_far, std::nullopt, comparison.current),
                                         .losses = case_values(of_base).losses};
  comparison.runner = pair_case.case_plan.files.runner;
  const JudgedComparison judged = judge(std::move(comparison));
  const std::vector<MetricVerdict>& metrics = judged.verdict.metrics;
  const ControlNeed control = control_need(judged);
  const auto any = [&](Status status) {
    return std::any_of(metrics.begin(), metrics.end(),
                       [&](const MetricVerdict& metric) { return metric.gating && metric.status == status; });
  };
  if (any(Status::regressed)) return {.decided = true, .control = control};
  const bool may_be_improved = std::any_of(metrics.begin(), metrics.end(), [](const MetricVerdict& metric) {
    return metric.gating && metric.status == Status::pass && metric.more_replicates.has_value();
  });
  return {.decided = !any(Status::inconclusive) && !may_be_improved, .control = control};
}

Comparison against_base(const Project& head, const PairMeasurement& measured) {
  const PairCase& pair_case = measured.pair_case;
  const CaseValues base = case_values(base_processes(measured));
  Comparison comparison = comparison_of(head, pair_case.case_plan, case_values(head_processes(measured)));
  PairedReference reference{.mismatches = mismatches_of_pairs(base, comparison.current),
                            .switches = switches_of_pairs(base),
                            .ran = ran(base),
                            .holds_exact = true,
                            .own_evidence = base.own_evidence,
                            .exact_background = base.exact_background,
                            .trajectories = measured.trajectories,
                            .losses = base.losses,
                            .trends = base.step_trends,
                            .slow_requests = base.slow_requests};
  take_failures_of_base(base, comparison);
  take_failures_of_control(measured.timed, comparison);
  if (measured.trajectories) {
    const auto& failures = measured.trajectories->failures;
    comparison.current.failures.insert(comparison.current.failures.end(), failures.begin(), failures.end());
  }
  // Stored sessions say whether the machine itself is slower than it was; they decide nothing here.
  comparison.runner = pair_case.case_plan.files.runner;
  if (comparison.judge_timed)
    reference.pairs = values_of(pair_case, measured.timed, measured.control, comparison.current);
  if (comparison.judge_exact && base.failures.empty()) take_exact_half(pair_case, base, comparison);
  if (measured.exact && measured.exact->interleaved) {
    take_bytes_of_each_process(base, comparison);
    reference.interleaved = base;
  }
  comparison.reference = std::move(reference);
  return comparison;
}

Measurement with_pairs_of_head(const Measurement& gated, const PairMeasurement& measured) {
  Measurement all = gated;
  std::erase_if(all.replicates, [](const Replicate& replicate) { return replicate.group != Group::exact; });
  append(all, head_processes(measured));
  return all;
}

Comparison confirmed_by_pairs(const Project& head, const PairMeasurement& measured, const Measurement& all_of_head) {
  const PairCase& pair_case = measured.pair_case;
  const CaseValues base = case_values(base_processes(measured));
  Comparison comparison = comparison_of(head, pair_case.case_plan, case_values(all_of_head));
  comparison.reference =
      PairedReference{.pairs = values_of(pair_case, measured.timed, measured.control, comparison.current),
                      .mismatches = mismatches_of_pairs(base, comparison.current),
                      .switches = switches_of_pairs(base),
                      .ran = ran(base),
                      .own_evidence = base.own_evidence,
                      .losses = base.losses,
                      .trends = base.step_trends,
                      .slow_requests = base.slow_requests};
  take_failures_of_base(base, comparison);
  take_failures_of_control(measured.timed, comparison);
  comparison.exact = pair_case.case_plan.files.exact;
  comparison.runner = pair_case.case_plan.files.runner;
  return comparison;
}

}  // namespace stepgate
