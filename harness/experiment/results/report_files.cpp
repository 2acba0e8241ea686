#include "experiment/results/report_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <future>
#include <set>
#include <string>
#include <string_view>

#include "core/version.h"
#include "experiment/plan/emulated_run.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/judging_command.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/stored_results.h"
#include "experiment/results/suite_number.h"
#include "json/results/run_report_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The report of a larger suite takes seconds, so its text is made beside the other formats. A case is one of many that
/// are written at the same time.
constexpr std::size_t most_outcomes_at_once = 100;

/// Cases without a verdict, and those that a run has begun to measure again.
std::vector<std::string> not_measured(const std::vector<ManifestCase>& cases, const StoredResults& stored) {
  std::set<std::string_view> found;
  for (const Outcome& outcome : stored.counted) found.insert(outcome.verdict.case_name);
  std::vector<std::string> missing;
  for (const ManifestCase& entry : cases) {
    if (!found.contains(entry.name) || stored.unfinished.contains(entry.name)) missing.push_back(entry.name);
  }
  return missing;
}

/// The manifest does not say which cases are gated on an emulated GPU: most are not. So where no case is named, a
/// report of one expects what was begun there, ended or not. Where nothing was, all is missing.
std::vector<ManifestCase> expected_cases(const Project& project, const Selection& selection,
                                         const std::vector<ManifestCase>& selected) {
  if (!selection.names.empty() || !emulated_device_of_class(project.runner_class)) return selected;
  std::vector<ManifestCase> begun;
  for (const ManifestCase& entry : selected) {
    const bool was_begun = !result_files(project, {entry}, "verdict.json").empty() ||
                           !result_files(project, {entry}, "previous-verdict.json").empty();
    if (was_begun) begun.push_back(entry);
  }
  return begun.empty() ? selected : begun;
}

/// The option that forbids to skip the case; "" if none does. Unless a GPU is required, its cases may be skipped.
std::string_view required_by(const Project& project, const std::string& name) {
  if (std::find(project.may_skip.begin(), project.may_skip.end(), name) != project.may_skip.end()) return "";
  if (project.require_gpu) return "--require-gpu allows no skipped case";
  const auto& cases = project.manifest.cases;
  const bool on_cpu = std::any_of(cases.begin(), cases.end(), [&](const ManifestCase& entry) {
    return entry.name == name && entry.device == Device::cpu;
  });
  return project.require_baseline && on_cpu ? "--require-baseline allows no skipped CPU case" : "";
}

/// Called before anything is shown, so that console, files and exit status agree.
void fail_skipped(const Project& project, std::vector<Outcome>& outcomes) {
  for (Outcome& outcome : outcomes) {
    const std::string_view by = required_by(project, outcome.verdict.case_name);
    if (outcome.verdict.status != Status::skipped || by.empty()) continue;
    outcome.verdict.status = Status::failed;
    const std::string required = fmt::format("; {}: if this runner never runs it, name it in --may-skip", by);
    outcome.verdict.detail += required;
    for (ReplicateFailure& failure : outcome.failures) failure.message += required;
  }
}

/// A plain Google Benchmark program counts nothing, and the times of a case TIERS exact are not gated.
void add_one_half(const ManifestCase& entry, RunReport& report) {
  if (!entry.benchmark.empty()) report.one_half[entry.name] = TierChoice::timed;
  if (!entry.gates_times) report.one_half[entry.name] = TierChoice::exact;
}

/// Of the cases that have an outcome.
void add_one_halves(const Manifest& manifest, const std::vector<Outcome>& outcomes, RunReport& report) {
  std::set<std::string_view> names;
  for (const Outcome& outcome : outcomes) names.insert(outcome.verdict.case_name);
  for (const ManifestCase& entry : manifest.cases) {
    if (names.contains(entry.name)) add_one_half(entry, report);
  }
}

void worst_first(std::vector<Outcome>& outcomes) {
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& a, const Outcome& b) { return a.verdict.status > b.verdict.status; });
}

}  // namespace

std::vector<fs::path> result_files(const Project& project, const std::vector<ManifestCase>& cases,
                                   const std::string& name) {
  std::vector<fs::path> files;
  for (const ManifestCase& entry : cases) {
    for (const ResultKind& kind : result_kinds) {
      const fs::path file = folder_of(project, {entry.name, kind}) / name;
      if (fs::exists(file)) files.push_back(file);
    }
  }
  return files;
}

std::string one_commit(const Caller& caller, const std::set<std::string>& commits, std::vector<Notice>& kept) {
  if (commits.size() == 1) return *commits.begin();
  if (!commits.empty()) {
    tell(caller,
         {Severity::warning,
          fmt::format("these results are of different commits ({}); the report names none", fmt::join(commits, ", ")),
          "measure all of them again"},
         kept);
  }
  return "";
}

RunReport report_of(const Project& project, std::vector<Outcome> outcomes) {
  fail_skipped(project, outcomes);
  worst_first(outcomes);
  RunReport report;
  report.utc = project.start.utc;
  report.commit = project.commit;
  report.runner_class = project.runner_class;
  report.stepgate_version = version;
  add_one_halves(project.manifest, outcomes, report);
  report.outcomes = std::move(outcomes);
  return report;
}

void write_report(const Caller& caller, const Project& project, const fs::path& folder, RunReport report) {
  report.suite = suite_number(project.out);
  const std::launch where = report.outcomes.size() > most_outcomes_at_once ? std::launch::async | std::launch::deferred
                                                                           : std::launch::deferred;
  std::future<std::string> text = std::async(where, [&report] { return to_text(report); });
  caller.observer.on_report(folder, report);  // first: wherever verdict.json is, the whole report is
  write_file_atomically(folder / "verdict.json", text.get());
}

void write_comparison(const Caller& caller, const Project& project, const RunReport& report) {
  prepare_result_folder(comparison_folder(project));
  write_report(caller, project, comparison_folder(project), report);
}

std::vector<Outcome> stored_outcomes(const Project& project, const std::vector<ManifestCase>& cases) {
  return read_results(project, cases).counted;
}

JudgedRun stored_report(const Project& project, const Selection& selection, const Caller& caller,
                        const LimitBase& base) {
  const std::vector<ManifestCase> selected = select_cases(project.manifest, selection);
  const std::vector<ManifestCase> cases = expected_cases(project, selection, selected);
  StoredResults stored = read_results(project, cases);
  JudgedRun result;
  for (Notice& notice : stored.notices) tell(caller, std::move(notice), result.notices);
  const std::vector<std::string> missing = not_measured(cases, stored);
  const bool nothing = stored.counted.empty();
  result.report = report_of(project, std::move(stored.counted));
  // The files are the same whenever they are written again: they tell the time of the results.
  if (!stored.newest_utc.empty()) result.report.utc = stored.newest_utc;
  result.report.commit = nothing ? project.commit : one_commit(caller, stored.commits, result.notices);
  for (const ManifestCase& entry : cases) {
    result.report.expected_cases.push_back(entry.name);
    add_one_half(entry, result.report);
  }
  result.report.missing_cases = missing;
  result.report.limits = base.build.empty() ? joined(stored.limits) : review_limits(project, base, selected);
  result.report.judging = judging_command(project, caller, result.report);
  // verdict.json of the folder is that of the suite: a look at one case must not replace it.
  if (selected.size() == project.manifest.cases.size()) write_report(caller, project, project.out, result.report);
  return result;
}

}  // namespace stepgate
