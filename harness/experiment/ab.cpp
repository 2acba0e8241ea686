#include "experiment/ab.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "experiment/pairs/explained_time.h"
#include "experiment/pairs/pair_judgement.h"
#include "experiment/pairs/pair_measurement.h"
#include "experiment/pairs/resumption.h"
#include "experiment/pairs/same_programs.h"
#include "experiment/results/case_judgement.h"
#include "experiment/results/report_files.h"
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

/// Those of the chosen cases that both builds have. Notices name the others.
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

/// The case that serves as control first; it rotates with the seed of the order.
std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, std::uint64_t order_seed) {
  const auto at = cases.begin() + static_cast<std::ptrdiff_t>(control_case(order_seed, cases.size()));
  std::rotate(cases.begin(), at, at + 1);
  return cases;
}

/// The exact half of the reference is the base build's own, so only the runner's file is read.
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
  Comparison comparison = against_base(run.project, measured);
  judge(comparison);
  Outcome outcome = explain(comparison);
  outcome.group = "ab";
  add_processes(base_processes(measured), outcome, "base build: ");
  add_processes(head_processes(measured), outcome);
  const AbPlan& plan = measured.pair_case.plan;
  outcome.reproduce_command = run.caller.commands.ab(plan.case_name, plan.order_seed);
  outcome.baseline_summary = "base build " + (plan.base_commit.empty() ? "of unknown commit" : plan.base_commit);
  outcome.baseline_commit = plan.base_commit;
  return outcome;
}

JudgedRun stopped(const PairRun& pairs) {
  const int number = pairs.run.caller.interrupted;
  pairs.run.caller.observer.on_notice(
      {Severity::warning,
       fmt::format("stopped by signal {}; finished pairs are kept in {}: the same command continues from them", number,
                   pairs.run.project.out.string())});
  return {.report = {}, .notices = pairs.notices, .interrupted_by = number};
}

}  // namespace

JudgedRun run_ab(const Project& head, const AbOptions& options, const Caller& caller) {
  if (options.pairs.base_build.empty()) {
    throw Error(
        ErrorKind::usage, "ab needs --base-build",
        "stepgate ab --base-build DIR [--build DIR]; in a checkout of stepgate, ci/perf --against REF builds the base");
  }
  refuse_debug_build(head.manifest);

  // Resumption: a run over several cases that is not finished goes on with its seed.
  const auto unfinished = unfinished_seed(head.out, options.pairs.order_seed);
  const auto from_clock = static_cast<std::uint64_t>(head.start.unix_s);
  const std::uint64_t order_seed = unfinished.value_or(options.pairs.order_seed.value_or(from_clock));

  // Which cases: those of both builds, the A/A control's first.
  const Project base = read_base_project(head, options.pairs);
  const MeasurableCases chosen =
      shared_cases(head, base, measurable_cases(head.manifest, options.selection, options.measure.tier));
  std::vector<Notice> notices;
  for (const Notice& notice : chosen.notices) tell(caller, notice, notices);
  refuse_nothing_shared(base, chosen.cases);
  if (options.pairs.seeds) refuse_seeds_without_losses(chosen.cases);
  refuse_unbuilt(head.manifest, chosen.cases);
  for (const Notice& notice : same_programs(head, base, chosen.cases)) tell(caller, notice, notices);
  for (const Notice& notice : missing_policies(head, chosen.cases)) tell(caller, notice, notices);
  for (const Notice& notice : unmatched_varying(head, chosen.cases)) tell(caller, notice, notices);
  const auto cases = control_first(chosen.cases, order_seed);

  const QuietHost quiet(options.host, {"ab", cases, options.measure.threads.value_or(1)}, caller.observer);
  const Run run{head, options.measure, quiet.measured(), caller};
  PairRun pairs{.run = run,
                .options = options.pairs,
                .base = base,
                .order_seed = order_seed,
                .resuming = unfinished.has_value(),
                .notices = std::move(notices)};

  // Each case: pairs until they decide, then one verdict on both halves.
  mark_unfinished(head.out, order_seed);
  std::vector<Outcome> outcomes;
  for (const ManifestCase& entry : cases) {
    const auto measured = measure_in_pairs(pairs, plan_ab_case(run, entry));
    if (!measured) return stopped(pairs);
    Outcome outcome = judge_ab_case(run, *measured);
    explain_time(pairs, measured->pair_case, outcome);
    write_report(caller, measured->pair_case.folder, report_of(head, {outcome}));
    outcomes.push_back(std::move(outcome));
    if (caller.interrupted != 0) return stopped(pairs);
  }
  mark_finished(head.out);
  return {.report = report_of(head, std::move(outcomes)), .notices = pairs.notices};
}

}  // namespace stepgate
