#include "experiment/compare_measurements.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "baseline/make_baseline.h"
#include "core/error.h"
#include "core/text/commit_text.h"
#include "experiment/compared/measured_twice.h"
#include "experiment/plan/selection.h"
#include "experiment/results/case_judgement.h"
#include "experiment/results/report_files.h"
#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::string suite_of(const std::string& case_name) { return case_name.substr(0, case_name.find('/')); }

/// The project at hand with the cases that are compared: results may have come without their build.
Project project_of_results(const Project& at_hand, const std::vector<MeasuredTwice>& all) {
  Project project = at_hand;
  project.runner_class = all.front().head.runner_class;
  for (const MeasuredTwice& twice : all) {
    const std::string& name = twice.head.case_name;
    if (has_case(project.manifest, name)) continue;
    project.manifest.cases.push_back(
        {.name = name, .suite = suite_of(name), .program = twice.head.program, .device = twice.head.plan.device});
  }
  return project;
}

/// Limits and waivers decide, so the user is told if they are not the project's own.
std::vector<Notice> notices_of_missing_policies(const Project& project, const std::vector<MeasuredTwice>& all) {
  std::set<std::string> suites;
  for (const MeasuredTwice& twice : all) suites.insert(suite_of(twice.head.case_name));
  std::vector<Notice> notices;
  for (const std::string& suite : suites) {
    if (!project.policy_root.empty() && fs::exists(project.policy_root / suite / "policy.json")) continue;
    notices.push_back({Severity::warning,
                       fmt::format("no policy of suite {} was found: the default limits hold", suite),
                       "name its folder: --policy-dir DIR, or --build DIR"});
  }
  return notices;
}

/// One scope's half of the base, used like a stored file.
std::optional<Baseline> stored_as(const MakeBaselineRequest& request, const fs::path& file, Comparison& comparison) {
  try {
    return make_baseline(request);
  } catch (const Error& error) {
    comparison.current.failures.push_back(fmt::format("{}: {}; {}", file.string(), error.what(), error.remedy()));
    return std::nullopt;
  }
}

/// The base measurement, used like stored baselines.
void take_reference(const MeasuredTwice& twice, Comparison& comparison) {
  const CaseValues base = case_values(twice.base);
  comparison.reference = EarlierMeasurement{.values = base, .ran = ran(base)};
  const bool discarded = base.clean_timed == 0 && base.tainted > 0;  // judged as too few, not as missing
  MakeBaselineRequest request{.values = base,
                              .scope = Scope::runner,
                              .runner_class = twice.base.runner_class,
                              .utc = twice.base.utc,
                              .unix_s = twice.base.unix_s,
                              .commit = twice.base.commit,
                              .varying = varying_metrics(comparison.policy.varying, base.case_name),
                              .policy = &comparison.policy};
  if (comparison.judge_timed && !discarded) comparison.runner = stored_as(request, twice.base_file, comparison);
  if (!comparison.judge_exact) return;
  request.scope = comparison.device == Device::cuda ? Scope::device : Scope::portable;
  comparison.exact = stored_as(request, twice.base_file, comparison);
}

Comparison against_base_measurement(const Project& project, const MeasuredTwice& twice) {
  const ManifestCase entry = case_named(project.manifest, twice.head.case_name);
  const CasePlan plan{
      .entry = entry, .tier = twice.tier, .files = {.policy = read_policy(project, entry.suite)}, .request = {}};
  Comparison comparison = comparison_of(project, plan, case_values(twice.head));
  const CaseValues base = case_values(twice.base);
  comparison.reference = EarlierMeasurement{.ran = ran(base)};
  if (comparison.current.failures.empty()) {
    comparison.current.changed_setting = base.changed_setting;
    comparison.current.infrastructure = base.infrastructure;
    comparison.current.needs_values = base.needs_values;
  }
  for (const std::string& failure : base.failures)
    comparison.current.failures.push_back(fmt::format("{}: {}", twice.base_file.string(), failure));
  if (comparison.current.failures.empty()) take_reference(twice, comparison);
  return comparison;
}

Outcome compare_one(const Project& project, const MeasuredTwice& twice, const CommandTexts& commands) {
  Outcome outcome = explain(judge(against_base_measurement(project, twice)));
  add_processes(twice.base, outcome);
  add_processes(twice.head, outcome);
  outcome.kind = {.half = twice.tier, .reference = ReferenceKind::measurement};
  outcome.reproduce_command = commands.compare(twice.base_file, twice.head_file, twice.tier);
  outcome.baseline_commit = twice.base.commit;
  outcome.baseline_summary =
      fmt::format("{}, measured {}", twice.base.commit.empty() ? "commit unknown" : short_commit(twice.base.commit),
                  twice.base.utc);
  return outcome;
}

}  // namespace

JudgedRun compare_measurements(const Project& at_hand, const ComparisonOptions& options, const Caller& caller) {
  JudgedRun result;
  const auto [all, notices] = match_measurements(options.before, options.after, options.tier);
  for (const Notice& notice : notices) tell(caller, notice, result.notices);
  if (all.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} and {} have nothing in common{}", options.before.string(), options.after.string(),
                    options.tier == TierChoice::all ? "" : fmt::format(" in the {} half", name_of(options.tier))),
        "measure the same half of the same case twice: stepgate run CASE --tier exact --out DIR");
  }
  Project project = project_of_results(at_hand, all);
  for (Notice& notice : notices_of_missing_policies(project, all)) tell(caller, std::move(notice), result.notices);

  std::vector<std::string> names;
  for (const MeasuredTwice& twice : all) names.push_back(twice.head.case_name);
  std::vector<Outcome> outcomes;
  std::set<std::string> commits;
  for (const ManifestCase& entry : select_cases(project.manifest, {.names = names, .globs = options.globs})) {
    for (const MeasuredTwice& twice : all) {
      if (twice.head.case_name != entry.name) continue;
      commits.insert(twice.head.commit);
      outcomes.push_back(compare_one(project, twice, caller.commands));
    }
  }
  project.commit = one_commit(caller, commits, result.notices);
  result.report = report_of(project, std::move(outcomes));
  return result;
}

}  // namespace stepgate
