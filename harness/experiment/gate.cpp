// The way of one case, from top to bottom: plan -> launch -> measurement -> reference -> comparison -> verdict ->
// confirmation -> explanation -> report.
#include "experiment/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/confirmation.h"
#include "experiment/judged_case.h"
#include "experiment/pairs/explained_time.h"
#include "experiment/pairs/measure_in_pairs.h"
#include "experiment/pairs/pair_judgement.h"
#include "experiment/pairs/same_programs.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/baseline_facts.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/case_judgement.h"
#include "experiment/results/limit_review.h"
#include "experiment/results/pending_files.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/result_inputs.h"
#include "launch/staged_builds.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A case before its first process. The digests of the files that judge it are taken before these files are read.
struct GatedCase {
  ResultInputs inputs;
  CasePlan plan;
};

/// Red bytes are judged again with more processes; nothing that was measured is dropped.
void confirm_bytes(const Run& run, JudgedCase& judged) {
  const std::int64_t more = processes_to_confirm(judged.comparison.verdict, judged.measurement);
  if (more == 0) return;
  judged.measurement = with_more_processes(judged.plan, run.caller, judged.measurement, more);
  judged.comparison = judge(against_stored(run.project, judged.plan, judged.measurement));
}

/// Pairs with a base build, and the results that one case leaves for the next.
struct GatePairs {
  const PairRun with_base;
  std::optional<ControlResult> control = {};  ///< once a case needed one
  std::vector<Notice> notices = {};           ///< what matters for how the verdicts are read
};

/// Whether the base build lacks the case; a notice says so.
bool is_new_case(GatePairs& pairs, const ManifestCase& entry) {
  if (has_case(pairs.with_base.base.manifest, entry.name)) return false;
  tell(pairs.with_base.run.caller, new_case_notice(entry), pairs.notices);
  return true;
}

/// Processes that take turns have no energy, and those before the pairs had.
Comparison with_limits_before(Comparison by_pairs, const std::vector<LimitVerdict>& limits) {
  if (auto* paired = std::get_if<PairedReference>(&by_pairs.reference)) paired->limits_before = limits;
  return by_pairs;
}

/// Absent after an interruption: what is half confirmed has no verdict.
std::optional<Outcome> outcome_by_pairs(GatePairs& pairs, const JudgedCase& judged) {
  const Run& run = pairs.with_base.run;
  ResultInputs inputs =
      with_base_program(judged.inputs, case_named(pairs.with_base.base.manifest, judged.plan.entry.name).program);
  const auto measured = measure_in_pairs(
      pairs.with_base,
      {.plan = judged.plan, .asked = worse_than_stored(judged.comparison.verdict), .control = pairs.control});
  if (!measured) return std::nullopt;
  pairs.control = control_for_next(*measured);
  const std::vector<Notice>& told = measured->pair_case.notices;
  pairs.notices.insert(pairs.notices.end(), told.begin(), told.end());
  JudgedCase confirmed{.inputs = std::move(inputs),
                       .plan = judged.plan,
                       .measurement = with_pairs_of_head(judged.measurement, *measured),
                       .comparison = {}};
  confirmed.comparison = judge(with_limits_before(confirmed_by_pairs(run.project, *measured, confirmed.measurement),
                                                  judged.comparison.verdict.limits));
  Outcome outcome = outcome_of(run.project, confirmed);
  outcome.pairs_decided = true;
  outcome.reproduce_command = run.caller.commands.ab(judged.plan.entry.name, measured->pair_case.plan.order_seed);
  explain_time(pairs.with_base, measured->pair_case, outcome);
  return outcome;
}

GatedCase plan_gate(const Run& run, const ManifestCase& entry, KnownDigests& digests) {
  MeasureOptions measure = run.measure;
  measure.tier = gated_half(measure.tier, entry);
  GatedCase gated{.inputs = inputs_of_gate(run.project, entry, measure.tier, digests), .plan = {}};
  gated.plan = plan_case(Run{run.project, measure, run.host, run.caller}, entry);
  return gated;
}

/// The names of the results that a run over these cases gives. Each case has a plan.
template <typename Case>
std::vector<ResultName> names_of(const std::vector<Case>& cases) {
  std::vector<ResultName> names;
  for (const Case& each : cases) names.push_back({each.plan.entry.name, {.half = each.plan.tier}});
  return names;
}

/// Absent after an interruption.
std::optional<Outcome> gate_case(const Run& run, const GatedCase& gated, std::optional<GatePairs>& pairs) {
  const Caller& caller = run.caller;
  JudgedCase judged{.inputs = gated.inputs, .plan = gated.plan, .measurement = {}, .comparison = {}};
  judged.measurement = launch(judged.plan, caller);
  if (caller.interrupted != 0) return std::nullopt;
  judged.comparison = judge(against_stored(run.project, judged.plan, judged.measurement));
  confirm_bytes(run, judged);
  if (caller.interrupted != 0) return std::nullopt;
  const PendingFiles pending =
      write_pending_files(run.project, pending_baselines(run.project, judged.measurement, judged.comparison));
  remove_settled_pending(run.project, judged.comparison);
  const bool by_pairs = pairs && judges_timed(judged.plan.tier) && pairs_could_decide(judged.comparison.verdict) &&
                        !is_new_case(*pairs, judged.plan.entry);
  if (by_pairs) return outcome_by_pairs(*pairs, judged);
  Outcome outcome = outcome_of(run.project, judged);
  add_pending(caller, pending, outcome);
  return outcome;
}

std::optional<GatePairs> pairs_with_base(const Run& run, const PairOptions& options) {
  if (options.base_build.empty()) return std::nullopt;
  const auto from_clock = static_cast<std::uint64_t>(run.project.start.unix_s);
  return GatePairs{.with_base = {.run = run,
                                 .options = options,
                                 .base = read_base_project(run.project, options),
                                 .order_seed = options.order_seed.value_or(from_clock),
                                 .any_order = !options.order_seed,
                                 .decides_bytes = false}};
}

/// Absent without a base build.
std::optional<LimitReview> limits_beside(const std::optional<GatePairs>& pairs, const GateOptions& options,
                                         const std::vector<ManifestCase>& cases) {
  if (!pairs) return std::nullopt;
  LimitReview review = review_limits(pairs->with_base.run.project, pairs->with_base.base, cases);
  review.allowed_by = options.allow_loosening;
  return review;
}

RunReport report_of_case(const Project& project, const Outcome& outcome, const std::optional<LimitReview>& limits) {
  RunReport report = report_of(project, {outcome});
  if (limits) report.limits = of_case(*limits, case_named(project.manifest, outcome.verdict.case_name));
  return report;
}

JudgedRun stopped_gate(const Run& run, std::vector<Notice> notices) {
  const int number = run.caller.interrupted;
  run.caller.observer.on_notice(
      {Severity::warning,
       fmt::format("stopped by signal {}; results of finished cases are in {}", number, run.project.out.string())});
  return {.report = {}, .notices = std::move(notices), .interrupted_by = number};
}

}  // namespace

JudgedRun run_gate(const Project& project, const GateOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  JudgedRun result;
  MeasurableCases chosen = gated_cases(project.manifest, options.selection, options.measure.tier);
  keep_emulated_cases(project, options.selection, chosen);
  for (Notice& notice : chosen.notices) tell(caller, std::move(notice), result.notices);
  refuse_unbuilt(project.manifest, chosen.cases);
  for (Notice& notice : missing_policies(project, chosen.cases)) tell(caller, std::move(notice), result.notices);
  for (Notice& notice : unmatched_patterns(project, chosen.cases)) tell(caller, std::move(notice), result.notices);

  const QuietHost quiet(options.host, {"gate", chosen.cases, options.measure.threads.value_or(1), project.emulated},
                        caller);
  const Run run{project, options.measure, quiet.measured(), caller};
  std::optional<GatePairs> pairs = pairs_with_base(run, options.pairs);
  if (pairs)
    for (const Notice& notice : same_programs(project, pairs->with_base.base, chosen.cases))
      tell(caller, notice, result.notices);

  const std::optional<LimitReview> limits = limits_beside(pairs, options, chosen.cases);

  // All plans first: what can refuse the run does so before an older result moves aside.
  std::vector<GatedCase> gated;
  KnownDigests digests;
  for (const ManifestCase& entry : chosen.cases) gated.push_back(plan_gate(run, entry, digests));
  begin_results(caller, project, names_of(gated));

  std::vector<Outcome> outcomes;
  for (const GatedCase& each : gated) {
    auto outcome = gate_case(run, each, pairs);
    if (!outcome) return stopped_gate(run, std::move(result.notices));
    write_report(caller, project, each.plan.request.out_dir, report_of_case(project, *outcome, limits));
    outcomes.push_back(std::move(*outcome));
    if (caller.interrupted != 0) return stopped_gate(run, std::move(result.notices));
  }
  if (pairs) std::move(pairs->notices.begin(), pairs->notices.end(), std::back_inserter(result.notices));
  result.report = report_of(project, std::move(outcomes));
  result.report.limits = limits;
  return result;
}

}  // namespace stepgate
