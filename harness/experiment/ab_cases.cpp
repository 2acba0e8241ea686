#include "experiment/ab_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "experiment/pairs/pair_judgement.h"
#include "experiment/pairs/same_programs.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/plan/selection.h"
#include "experiment/results/case_judgement.h"
#include "launch/pair_order.h"

namespace stepgate {
namespace {

/// A plain Google Benchmark program trains nothing that a seed could change.
void refuse_seeds_without_losses(const std::vector<ManifestCase>& cases) {
  for (const ManifestCase& entry : cases) {
    if (entry.benchmark.empty()) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--seeds: {} is a plain Google Benchmark program without losses", entry.name),
                "name the cases that train: stepgate ab CASE --seeds N");
  }
}

void refuse_nothing_shared(const Project& base, const std::vector<ManifestCase>& cases) {
  if (!cases.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} has none of the chosen cases: nothing to compare", base.manifest.path.string()),
              "name a case that both builds have: stepgate list --build DIR");
}

/// The chosen cases that both builds have. Notices name the others.
MeasurableCases shared_cases(const Project& head, const Project& base, MeasurableCases chosen) {
  for (const ManifestCase& entry : base.manifest.cases) {
    if (has_case(head.manifest, entry.name)) continue;
    chosen.notices.push_back(
        {Severity::warning, fmt::format("{} is only in the base build: removed or renamed, not compared", entry.name)});
  }
  const auto is_new = [&](const ManifestCase& entry) { return !has_case(base.manifest, entry.name); };
  for (const ManifestCase& entry : chosen.cases) {
    if (is_new(entry)) chosen.notices.push_back(new_case_notice(entry));
  }
  std::erase_if(chosen.cases, is_new);
  return chosen;
}

}  // namespace

void refuse_without_builds(const Project& head, const PairOptions& options) {
  if (options.base_build.empty()) {
    throw Error(
        ErrorKind::usage, "ab needs --base-build",
        "stepgate ab --base-build DIR [--build DIR]; in a checkout of stepgate, ci/perf --against REF builds the base");
  }
  refuse_debug_build(head.manifest);
}

AbCases choose_ab_cases(const Project& head, const Project& base, const AbOptions& options, const Caller& caller) {
  MeasurableCases selected = measurable_cases(head.manifest, options.selection, options.measure.tier);
  keep_emulated_cases(head, options.selection, selected);
  MeasurableCases chosen = shared_cases(head, base, std::move(selected));
  AbCases found{.cases = std::move(chosen.cases), .notices = {}};
  for (const Notice& notice : chosen.notices) tell(caller, notice, found.notices);
  refuse_nothing_shared(base, found.cases);
  if (options.pairs.seeds) refuse_seeds_without_losses(found.cases);
  refuse_unbuilt(head.manifest, found.cases);
  for (const Notice& notice : same_programs(head, base, found.cases)) tell(caller, notice, found.notices);
  for (const Notice& notice : missing_policies(head, found.cases)) tell(caller, notice, found.notices);
  for (const Notice& notice : unmatched_patterns(head, found.cases)) tell(caller, notice, found.notices);
  return found;
}

std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, std::uint64_t order_seed) {
  const auto at = cases.begin() + static_cast<std::ptrdiff_t>(control_case(order_seed, cases.size()));
  std::rotate(cases.begin(), at, at + 1);
  return cases;
}

CasePlan plan_ab_case(const Run& run, const ManifestCase& entry) {
  CasePlan plan{.entry = entry,
                .tier = run.measure.tier,
                .files = read_case_files(run.project, entry, TierChoice::timed),
                .request = {}};
  plan.request = request_for(run, entry, plan.files.policy);
  settle_windows(plan);
  return plan;
}

Outcome judge_ab_case(const Run& run, const PairMeasurement& measured) {
  Outcome outcome = explain(judge(against_base(run.project, measured)));
  outcome.kind = result_of_pairs;
  outcome.pairs_decided = true;
  add_processes(base_processes(measured), outcome, "base build: ");
  add_processes(head_processes(measured), outcome);
  const AbPlan& plan = measured.pair_case.plan;
  outcome.reproduce_command = run.caller.commands.ab(plan.case_name, plan.order_seed);
  outcome.baseline_summary = "base build " + (plan.base_commit.empty() ? "of unknown commit" : plan.base_commit);
  outcome.baseline_commit = plan.base_commit;
  return outcome;
}

}  // namespace stepgate
