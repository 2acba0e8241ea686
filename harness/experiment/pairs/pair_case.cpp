#include "experiment/pairs/pair_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "experiment/pairs/resumption.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/provenance.h"
#include "experiment/plan/selection.h"
#include "experiment/plan/this_machine.h"
#include "judge/interval/pair_plan.h"

namespace stepgate {
namespace {

/// About ten times what is compared step by step (policy.h): long enough for a loss to have an end.
constexpr std::int64_t default_seed_steps = 200;

/// Alternating windows cancel what drifts within a pair (docs/figures.md: a third of the spread), but only where a
/// waiting process is idle. Loader workers fill their queues meanwhile, ranks wait for each other elsewhere, idle
/// OpenMP threads may spin, and two processes on one GPU share its memory: those run one by one.
bool is_idle_while_waiting(const CasePlan& plan) {
  return plan.request.benchmark.empty() && plan.entry.device == Device::cpu && plan.entry.cpus <= 1 &&
         plan.request.plan.threads <= 1;
}

Notice no_alternating_windows(const std::string& case_name) {
  return {
      Severity::warning,
      fmt::format("{} runs its processes one after the other: alternating windows need a case on one CPU", case_name)};
}

/// Leaves out the control, which only one case of a run measures.
AbPlan plan_of(const PairRun& pairs, const PairCase& opened) {
  const PairOptions& options = pairs.options;
  const Project& head = pairs.run.project;
  return {.case_name = opened.case_plan.entry.name,
          .utc = head.start.utc,
          .order_seed = pairs.order_seed,
          .most_pairs = options.most_pairs.value_or(most_pairs(default_pair_plan())),
          .alternating_windows = options.interleave != Interleave::processes && is_idle_while_waiting(opened.case_plan),
          .base_digest = opened.builds.base_digest,
          .head_digest = opened.builds.head_digest,
          .base_commit = pairs.base.commit,
          .head_commit = head.commit,
          .policy_digest = policy_digest(head, opened.case_plan.entry.suite),
          .machine = pairs.over_nodes ? "" : machine_here(pairs.run.host),
          .seeds = options.seeds.value_or(0),
          .seed_steps = options.seed_steps.value_or(default_seed_steps),
          .plan = opened.case_plan.request.plan,
          .complete = false};
}

Notice begins_anew(const std::string& case_name, const std::string& why) {
  return {Severity::note, fmt::format("{}: the interrupted run begins anew: {}", case_name, why)};
}

void refuse_other_kind(const ManifestCase& head, const ManifestCase& base) {
  const auto refuse = [&](const char* what, const std::string& of_base, const std::string& of_head) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is '{}' in the base build and '{}' in the head", head.name, what, of_base, of_head),
                "stepgate compares a case only with the same case: give the changed one a new name");
  };
  if (head.device != base.device)
    refuse("the device", std::string(name_of(base.device)), std::string(name_of(head.device)));
  if (head.benchmark != base.benchmark) refuse("the benchmark", base.benchmark, head.benchmark);
  if (head.gpus != base.gpus) refuse("the number of GPUs", std::to_string(base.gpus), std::to_string(head.gpus));
}

}  // namespace

PairCase open_pair_case(const PairRun& pairs, const CaseToPair& wanted) {
  const CasePlan& head = wanted.plan;
  const Caller& caller = pairs.run.caller;
  const ManifestCase base = case_named(pairs.base.manifest, head.entry.name);
  refuse_other_kind(head.entry, base);
  const std::filesystem::path& out = pairs.run.project.out;
  PairCase opened;
  opened.case_plan = head;
  opened.folder = out / head.entry.name / "ab";
  opened.budget_s = pairs.options.budget_s;
  opened.asked = wanted.asked;
  prepare_result_folder(opened.folder);
  opened.builds =
      stage_builds(out / "ab-builds" / head.entry.program.filename(), build_of_case(pairs.base.manifest, base),
                   build_of_case(pairs.run.project.manifest, head.entry));
  const std::int64_t cpus = std::max(head.entry.cpus, base.cpus);  // the same for both: workers may be new, or gone
  opened.case_plan.entry.cpus = opened.case_plan.request.plan.cpus = cpus;
  opened.case_plan.request.plan.timed_replicates = 1;
  opened.plan = plan_of(pairs, opened);
  opened.plan.control = judges_timed(head.tier) && !wanted.control;
  if (pairs.options.interleave == Interleave::windows && !opened.plan.alternating_windows)
    tell(caller, no_alternating_windows(head.entry.name), opened.notices);
  const Resumption before =
      interrupted_plan(opened.folder, opened.plan,
                       {.any_order = pairs.any_order, .complete = pairs.resuming, .now_unix_s = now().unix_s});
  if (before.plan) {
    opened.plan.order_seed = before.plan->order_seed;
    opened.plan.utc = before.plan->utc;
    opened.plan.complete = before.plan->complete;
    caller.observer.on_notice(
        {Severity::note, fmt::format("{}: continuing the run of {}", head.entry.name, before.plan->utc)});
    return opened;
  }
  if (!before.refusal.empty()) caller.observer.on_notice(begins_anew(head.entry.name, before.refusal));
  begin_plan(opened.folder, opened.plan);
  return opened;
}

}  // namespace stepgate
