#include "experiment/results/case_judgement.h"

#include <algorithm>

#include "baseline/baseline_key.h"
#include "core/record/fact_roles.h"
#include "core/record/fingerprint_mismatches.h"
#include "diagnose/diagnose.h"
#include "judge/reduce/flop_rate.h"
#include "judge/reduce/measured_lengths.h"
#include "judge/reduce/reduce_case.h"
#include "judge/reduce/step_distributions.h"
#include "judge/verdict/gating_metrics.h"
#include "judge/verdict/judge_case.h"
#include "judge/verdict/late_losses.h"

namespace stepgate {
namespace {

/// M of docs/design/verdicts.md, "Error budget": gating timed metrics of the suite's manifest, whatever was filtered.
std::int64_t hypotheses_of(const Manifest& manifest, const ManifestCase& entry) {
  const auto cases = std::count_if(manifest.cases.begin(), manifest.cases.end(), [&](const ManifestCase& other) {
    return other.suite == entry.suite && other.device == entry.device;
  });
  return std::max<std::int64_t>(1, cases) * gating_timed_metrics_per_case(entry.device);
}

std::vector<FingerprintMismatch> exact_mismatches(const Comparison& comparison) {
  const Fingerprint& stored = comparison.exact->key;
  const Fingerprint& found = comparison.current.exact_fingerprint;
  if (comparison.device == Device::cpu) return mismatches(stored, portable_key(found));
  const Fingerprint key = device_exact_key(found);
  return exact_is_measured(comparison) ? mismatches(stored, key) : differences(stored, key);
}

}  // namespace

Comparison comparison_of(const Project& project, const CasePlan& plan, CaseValues current) {
  const auto& stated = plan.files.policy.peak_tflop_per_s;
  const auto peaks = stated.find(project.runner_class);
  add_utilisation(peaks == stated.end() ? StatedPeaks{} : peaks->second, current);
  return {.current = std::move(current),
          .policy = plan.files.policy,
          .hypotheses = hypotheses_of(project.manifest, plan.entry),
          .judge_exact = judges_exact(plan.tier, plan.entry),
          .judge_timed = judges_timed(plan.tier),
          .device = plan.entry.device,
          .today = project.start.day,
          .runner_class = project.runner_class,
          .calibration = project.calibration};
}

Comparison against_stored(const Project& project, const CasePlan& plan, const Measurement& measurement) {
  Comparison comparison = comparison_of(project, plan, case_values(measurement));
  comparison.exact = plan.files.exact;
  comparison.runner = plan.files.runner;
  return comparison;
}

JudgedComparison judge(Comparison comparison) {
  const CaseValues& values = comparison.current;
  comparison.exact_mismatches.clear();
  comparison.runner_mismatches.clear();
  comparison.runner_changes.clear();
  if (comparison.exact) comparison.exact_mismatches = exact_mismatches(comparison);
  // If all processes were discarded, nothing is known of them: that is too little evidence, not another machine.
  const bool all_discarded = values.clean_timed == 0 && values.tainted > 0;
  if (comparison.judge_timed && comparison.runner && !all_discarded) {
    auto changes = runner_key_changes(comparison.runner->key, runner_key(values.timed_fingerprint));
    comparison.runner_mismatches = std::move(changes.mismatches);
    comparison.runner_changes = std::move(changes.of_times);
  }
  CaseVerdict verdict = judge_case(comparison);
  return {std::move(comparison), std::move(verdict)};
}

Outcome explain(const JudgedComparison& comparison) {
  Outcome outcome;
  outcome.verdict = comparison.verdict;
  outcome.findings = diagnose(comparison);
  outcome.losses = judged_losses(comparison);
  outcome.fingerprint =
      comparison.judge_timed ? comparison.current.timed_fingerprint : comparison.current.exact_fingerprint;
  return outcome;
}

void add_processes(const Measurement& measurement, Outcome& outcome, std::string_view side) {
  if (auto found = step_distributions(measurement); !found.empty()) outcome.distributions = std::move(found);
  if (auto found = measured_lengths(measurement)) outcome.batch_lengths = std::move(found);
  for (const Replicate& replicate : measurement.replicates) {
    const auto wall = replicate.evidence.values.find(EvidenceKey::wall_s);
    if (wall != replicate.evidence.values.end()) outcome.seconds += wall->second;
    if (!counts_as_failed(replicate)) continue;
    outcome.failures.push_back(*replicate.failure);
    outcome.failures.back().message.insert(0, side);
  }
}

}  // namespace stepgate
