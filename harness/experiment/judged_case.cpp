#include "experiment/judged_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "experiment/results/baseline_facts.h"
#include "experiment/results/case_judgement.h"

namespace stepgate {
namespace {

/// Without this finding, a green verdict on such a case would seem to cover its times.
Finding times_not_gated(const std::string& name) {
  return {FindingCode::times_not_gated, Severity::note, "timed tier: not gated (TIERS exact)",
          fmt::format("compare the times of two builds: stepgate ab {} --base-build DIR", name), ""};
}

/// Whether another baseline would change the verdict on this metric.
bool can_be_accepted(const MetricVerdict& metric) {
  if (!metric.gating || metric.reason.is(&ReasonRow::of_limit)) return false;
  if (metric.status != Status::not_judged) return metric.status != Status::pass;
  return metric.reason == ReasonCode::new_metric || metric.reason == ReasonCode::library_shapes_differ;
}

bool is_worth_accepting(const CaseVerdict& verdict) {
  const bool by_setting = verdict.status == Status::regressed && verdict.reason == ReasonCode::program_changed_setting;
  return by_setting || std::any_of(verdict.metrics.begin(), verdict.metrics.end(), can_be_accepted);
}

}  // namespace

Outcome outcome_of(const Project& project, const JudgedCase& judged) {
  Outcome outcome = explain(judged.comparison);
  outcome.kind = {.half = judged.plan.tier};
  outcome.inputs = judged.inputs;
  add_processes(judged.measurement, outcome);
  add_baseline_facts(project, judged.comparison, judged.plan.tier, outcome);
  add_metric_backgrounds(project, judged.comparison, outcome);
  const ManifestCase& entry = judged.plan.entry;
  if (!entry.gates_times) outcome.findings.push_back(times_not_gated(entry.name));
  return outcome;
}

void add_pending(const Caller& caller, const PendingFiles& pending, Outcome& outcome) {
  const std::string& name = outcome.verdict.case_name;
  outcome.findings.insert(outcome.findings.end(), pending.findings.begin(), pending.findings.end());
  outcome.pending_path = pending.first;
  outcome.pending_digests = pending.digests;
  outcome.reproduce_command = caller.commands.gate(name, outcome.kind.half);
  if (!pending.first.empty() && is_worth_accepting(outcome.verdict))
    outcome.accept_command = caller.commands.accept(name, outcome.kind.half);
}

}  // namespace stepgate
