#include "experiment/ab.h"

#include <fmt/format.h>

#include "experiment/ab_cases.h"
#include "experiment/host/quiet_host.h"
#include "experiment/pairs/explained_time.h"
#include "experiment/pairs/measure_in_pairs.h"
#include "experiment/pairs/resumption.h"
#include "experiment/plan/provenance.h"
#include "experiment/plan/selection.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/result_inputs.h"

namespace stepgate {
namespace {

JudgedRun stopped(const Run& run, std::vector<Notice> notices) {
  const int number = run.caller.interrupted;
  run.caller.observer.on_notice(
      {Severity::warning,
       fmt::format("stopped by signal {}; finished pairs are kept in {}: the same command continues from them", number,
                   run.project.out.string())});
  return {.report = {}, .notices = std::move(notices), .interrupted_by = number};
}

/// The seed of a run over several cases that is not finished. The new run goes on with it if that is not too long ago:
/// the finished cases are then of the same time.
std::optional<std::uint64_t> seed_to_go_on_with(const Project& head, const PairOptions& options,
                                                const std::vector<ManifestCase>& cases, const Caller& caller) {
  const auto unfinished = unfinished_seed(head.out, options.order_seed);
  if (!unfinished) return std::nullopt;
  std::vector<std::filesystem::path> folders;
  for (const ManifestCase& entry : cases) folders.push_back(folder_of(head, {entry.name, result_of_pairs}));
  const std::string pause = too_long_ago(folders, now().unix_s);
  if (pause.empty()) return unfinished;
  caller.observer.on_notice({Severity::note, "the interrupted run begins anew: " + pause});
  return std::nullopt;
}

/// A case before its first process. The digests of the files that judge it are taken before these files are read.
struct PlannedPairs {
  ResultInputs inputs;
  CasePlan plan;
};

PlannedPairs plan_pairs(const Run& run, const Project& base, const ManifestCase& entry) {
  const std::filesystem::path base_program = case_named(base.manifest, entry.name).program;
  PlannedPairs planned{.inputs = inputs_of_pairs(run.project, entry, base_program), .plan = {}};
  planned.plan = plan_ab_case(run, entry);
  return planned;
}

std::vector<ResultName> names_of(const std::vector<PlannedPairs>& cases) {
  std::vector<ResultName> names;
  for (const PlannedPairs& each : cases) names.push_back({each.plan.entry.name, result_of_pairs});
  return names;
}

}  // namespace

JudgedRun run_ab(const Project& head, const AbOptions& options, const Caller& caller) {
  refuse_without_builds(head, options.pairs);

  const Project base = read_base_project(head, options.pairs);
  AbCases chosen = choose_ab_cases(head, base, options, caller);
  const auto unfinished = seed_to_go_on_with(head, options.pairs, chosen.cases, caller);
  const auto from_clock = static_cast<std::uint64_t>(head.start.unix_s);
  const std::uint64_t order_seed = unfinished.value_or(options.pairs.order_seed.value_or(from_clock));
  const auto cases = control_first(std::move(chosen.cases), order_seed);

  const QuietHost quiet(options.host, {"ab", cases, options.measure.threads.value_or(1), head.emulated}, caller);
  const Run run{head, options.measure, quiet.measured(), caller};
  const PairRun pairs{
      .run = run, .options = options.pairs, .base = base, .order_seed = order_seed, .resuming = unfinished.has_value()};

  // All plans first: what can refuse the run does so before an older result moves aside.
  std::vector<PlannedPairs> planned;
  for (const ManifestCase& entry : cases) planned.push_back(plan_pairs(run, base, entry));
  begin_results(caller, head, names_of(planned));

  // Each case: pairs until they decide, then one verdict on both halves.
  mark_unfinished(head.out, order_seed);
  std::vector<Outcome> outcomes;
  std::vector<Notice> notices = std::move(chosen.notices);
  std::optional<ControlResult> control;
  for (const PlannedPairs& each : planned) {
    const auto measured = measure_in_pairs(pairs, {.plan = each.plan, .control = control});
    if (!measured) return stopped(run, std::move(notices));
    control = control_for_next(*measured);
    const std::vector<Notice>& told = measured->pair_case.notices;
    notices.insert(notices.end(), told.begin(), told.end());
    Outcome outcome = judge_ab_case(run, *measured);
    outcome.inputs = each.inputs;
    explain_time(pairs, measured->pair_case, outcome);
    write_report(caller, head, measured->pair_case.folder, report_of(head, {outcome}));
    outcomes.push_back(std::move(outcome));
    if (caller.interrupted != 0) return stopped(run, std::move(notices));
  }
  const RunReport report = report_of(head, std::move(outcomes));
  write_comparison(caller, head, report);
  mark_finished(head.out);
  return {.report = report, .notices = std::move(notices)};
}

}  // namespace stepgate
