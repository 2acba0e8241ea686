#include "experiment/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "baseline/baseline_key.h"
#include "baseline/baseline_path.h"
#include "baseline/find_baseline.h"
#include "core/error.h"
#include "core/version.h"
#include "diagnose/diagnose.h"
#include "experiment/advice.h"
#include "experiment/background.h"
#include "experiment/pending_files.h"
#include "experiment/result_files.h"
#include "judge/reduce/case_values.h"
#include "judge/verdict/judge_case.h"
#include "system/step_count_list.h"

namespace stepgate {
namespace {

/// A program of this build that has the reference case built in; "" where there is none.
std::filesystem::path reference_program(const Context& context, const ManifestCase& entry) {
  const auto& cases = context.manifest.cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const ManifestCase& other) {
    return other.benchmark.empty() && other.device == entry.device && std::filesystem::exists(other.program);
  });
  return found == cases.end() ? std::filesystem::path() : found->program;
}

Plan plan_for(const Context& context, const ManifestCase& entry) {
  const Options& o = context.options;
  Plan plan;
  plan.device = entry.device;
  plan.cpus = entry.cpus;
  plan.timeout_s = o.timeout_s.value_or(entry.timeout_s);
  plan.timed_replicates = o.replicates.value_or(plan.timed_replicates);
  plan.exact_replicates = o.exact_replicates.value_or(plan.exact_replicates);
  plan.threads = o.threads.value_or(plan.threads);
  plan.seed = o.seed.value_or(plan.seed);
  if (!o.malloc_policy.empty()) plan.malloc_policy = o.malloc_policy;
  if (!o.steps.empty()) plan.steps = read_step_counts(o.steps, "--steps");
  return plan;
}

/// M of docs/design/verdicts.md, "Error budget": gating timed metrics of the suite's manifest, whatever was filtered.
std::int64_t hypotheses(const Context& context, const ManifestCase& entry) {
  const auto cases =
      std::count_if(context.manifest.cases.begin(), context.manifest.cases.end(),
                    [&](const auto& other) { return other.suite == entry.suite && other.device == entry.device; });
  return std::max<std::int64_t>(1, cases) * gating_timed_metrics_per_case();
}

}  // namespace

bool wants(const Context& context, const ManifestCase& entry, std::string_view tier) {
  if (tier == "exact" && !entry.benchmark.empty()) return false;  // it counts nothing
  return context.options.tier == "all" || context.options.tier == tier;
}

std::filesystem::path result_folder(const Context& context, const std::string& case_name) {
  return context.options.out / case_name / context.options.tier;
}

LaunchRequest request_for(const Context& context, const ManifestCase& entry) {
  LaunchRequest request;
  request.case_name = entry.name;
  request.program = entry.program;
  request.device = entry.device;
  request.plan = plan_for(context, entry);
  request.benchmark = entry.benchmark;
  if (!entry.benchmark.empty()) request.reference_program = reference_program(context, entry);
  const bool has_reference = entry.benchmark.empty() || !request.reference_program.empty();
  if (wants(context, entry, "exact")) request.groups.push_back(Group::exact);
  if (wants(context, entry, "timed")) {
    request.groups.push_back(Group::timed);
    if (has_reference) request.groups.push_back(Group::reference);
  }
  request.data_dir = context.options.data_dir;
  request.out_dir = result_folder(context, entry.name);
  request.taint_limits = read_policy(context, entry.suite).taint_limits;
  request.runner_class = context.options.runner_class;
  request.commit = context.commit;
  request.guard = context.guard;
  if (context.gpu) {
    request.gpu_pci_bus_id = context.gpu->pci_bus_id;  // all cases of a run choose their CPUs alike
    if (entry.device == "cuda") request.gpu_uuid = context.gpu->uuid;
  }
  return request;
}

Measurement measure(const Context& context, const ManifestCase& entry, const LaunchCallbacks& callbacks) {
  const LaunchRequest request = request_for(context, entry);
  prepare_result_folder(request.out_dir);
  Measurement measurement = measure_case(request, callbacks);
  write_measurement(request.out_dir, measurement);
  return measurement;
}

OtherSide stored_side(const Context& context, const ManifestCase& entry) {
  // On CUDA the exact half lives in the runner's file too; on CPU each half has its own, and only that is read.
  const bool exact_is_portable = entry.device != "cuda";
  OtherSide other;
  if (exact_is_portable && wants(context, entry, "exact"))
    other.portable = find_baseline(context.baseline_root, std::string(portable_class), entry.name);
  if (!exact_is_portable || wants(context, entry, "timed"))
    other.runner = find_baseline(context.baseline_root, context.options.runner_class, entry.name);
  return other;
}

CaseVerdict judge_against(const Context& context, const ManifestCase& entry, const CaseValues& values,
                          const OtherSide& other) {
  const Policy policy = read_policy(context, entry.suite);
  JudgeInput input{.current = values,
                   .portable = other.portable ? &*other.portable : nullptr,
                   .runner = other.runner ? &*other.runner : nullptr,
                   .portable_mismatches = {},
                   .runner_mismatches = {},
                   .policy = policy,
                   .hypotheses = hypotheses(context, entry),
                   .judge_exact = wants(context, entry, "exact"),
                   .judge_timed = wants(context, entry, "timed"),
                   .device = entry.device,
                   .today = context.start.day,
                   .pairs = other.pairs ? &*other.pairs : nullptr,
                   .pair_mismatches = other.pair_mismatches,
                   .interleaved_bytes = other.interleaved_bytes,
                   .base_group = other.base_group ? &*other.base_group : nullptr,
                   .trajectories = other.trajectories ? &*other.trajectories : nullptr};
  if (input.portable)
    input.portable_mismatches = mismatches(input.portable->key, portable_key(values.exact_fingerprint));
  // Of processes that were all discarded nothing is known: that is too little evidence, not another machine.
  const bool all_discarded = input.judge_timed && values.clean_timed == 0 && values.tainted > 0;
  const Fingerprint& facts = input.judge_timed ? values.timed_fingerprint : values.exact_fingerprint;
  if (input.runner && !all_discarded) input.runner_mismatches = mismatches(input.runner->key, runner_key(facts));
  return judge_case(input);
}

Outcome explain(const Context& context, const ManifestCase& entry, const CaseValues& values, const OtherSide& other) {
  const Policy policy = read_policy(context, entry.suite);
  Outcome outcome;
  outcome.verdict = judge_against(context, entry, values, other);
  outcome.group = context.options.tier;
  outcome.findings =
      diagnose({values, other.portable ? &*other.portable : nullptr, other.runner ? &*other.runner : nullptr,
                outcome.verdict, &policy, other.base_group.has_value()});
  outcome.fingerprint = wants(context, entry, "timed") ? values.timed_fingerprint : values.exact_fingerprint;
  return outcome;
}

Outcome judge_and_explain(const Context& context, const ManifestCase& entry, const Measurement& measurement) {
  const OtherSide other = stored_side(context, entry);
  const CaseValues values = case_values(measurement);
  Outcome outcome = explain(context, entry, values, other);
  const BothBaselines baselines{other.portable ? &*other.portable : nullptr, other.runner ? &*other.runner : nullptr};
  add_failures(measurement, outcome);
  add_pending(context, entry, measurement, values, outcome);
  add_advice(context, entry, baselines, outcome);
  add_background(context, baselines, values, outcome);
  return outcome;
}

}  // namespace stepgate
