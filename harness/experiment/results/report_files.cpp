#include "experiment/results/report_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "core/version.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/accepted_since.h"
#include "experiment/results/stale_results.h"
#include "json/results/run_report_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path suite_start(const Project& project) { return project.out / "suite-start.txt"; }

fs::path comparison_folder(const Project& project) { return project.out / "ab"; }

/// Start of the suite run in seconds, 0 where none was begun: then every verdict counts.
std::int64_t read_suite_start(const Project& project) {
  if (!fs::exists(suite_start(project))) return 0;
  return std::strtoll(read_text_file(suite_start(project)).c_str(), nullptr, 10);
}

/// Cases without a verdict.
std::vector<std::string> not_measured(const std::vector<ManifestCase>& cases, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> missing;
  for (const ManifestCase& entry : cases) {
    const bool found = std::any_of(outcomes.begin(), outcomes.end(),
                                   [&](const Outcome& outcome) { return outcome.verdict.case_name == entry.name; });
    if (!found) missing.push_back(entry.name);
  }
  return missing;
}

/// What forbids to skip the case, "" where nothing does. Without a GPU required its cases may be skipped.
std::string_view required_by(const Project& project, const std::string& name) {
  if (std::find(project.may_skip.begin(), project.may_skip.end(), name) != project.may_skip.end()) return "";
  if (project.require_gpu) return "--require-gpu allows no skipped case";
  const auto& cases = project.manifest.cases;
  const bool on_cpu = std::any_of(cases.begin(), cases.end(), [&](const ManifestCase& entry) {
    return entry.name == name && entry.device == "cpu";
  });
  return project.require_baseline && on_cpu ? "--require-baseline allows no skipped CPU case" : "";
}

/// Before anything is shown, so that console, files and exit status agree.
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

void worst_first(std::vector<Outcome>& outcomes) {
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& a, const Outcome& b) { return a.verdict.status > b.verdict.status; });
}

/// The verdicts of these cases since begin_suite().
std::vector<StoredVerdict> read_verdicts(const Project& project, const std::vector<ManifestCase>& cases) {
  const std::int64_t start = read_suite_start(project);
  std::vector<StoredVerdict> stored;
  for (const fs::path& file : result_files(project, cases, "verdict.json")) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0 || status.st_mtime < start) continue;
    const auto written = fs::last_write_time(file);
    RunReport report = run_report_from_text(read_text_file(file), file.string());
    for (Outcome& outcome : report.outcomes) stored.push_back({std::move(outcome), report.commit, report.utc, written});
  }
  return stored;
}

void tell_of_other_commits(const Caller& caller, const std::vector<StoredVerdict>& left_out,
                           std::vector<Notice>& kept) {
  for (const StoredVerdict& verdict : left_out) {
    const std::string& name = verdict.outcome.verdict.case_name;
    tell(caller,
         {Severity::warning,
          fmt::format("{} ({}) is left out: it is of commit {}, and the newest result of this case is not", name,
                      verdict.outcome.group, verdict.commit),
          fmt::format("measure it again: stepgate gate {}", name)},
         kept);
  }
}

}  // namespace

std::vector<fs::path> result_files(const Project& project, const std::vector<ManifestCase>& cases,
                                   const std::string& name) {
  std::vector<fs::path> files;
  for (const ManifestCase& entry : cases) {
    for (const char* kind : {"exact", "timed", "all", "ab"}) {
      const fs::path file = project.out / entry.name / kind / name;
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
  report.outcomes = std::move(outcomes);
  return report;
}

void write_report(const Caller& caller, const fs::path& folder, const RunReport& report) {
  write_file_atomically(folder / "verdict.json", to_text(report));
  caller.observer.on_report(folder, report);
}

void begin_comparison(const Project& project) { fs::remove(comparison_folder(project) / "verdict.json"); }

void write_comparison(const Caller& caller, const Project& project, const RunReport& report) {
  prepare_result_folder(comparison_folder(project));
  write_report(caller, comparison_folder(project), report);
}

void begin_suite(const Project& project) {
  prepare_result_folder(project.out);
  // Old verdicts go, so that a case that is not measured this time cannot show the green of last time.
  for (const fs::path& file : result_files(project, project.manifest.cases, "verdict.json")) fs::remove(file);
  write_file_atomically(suite_start(project), fmt::format("{}\n", project.start.unix_s));
}

std::vector<Outcome> stored_outcomes(const Project& project, const std::vector<ManifestCase>& cases) {
  std::vector<Outcome> outcomes;
  FreshResults stored = without_stale(read_verdicts(project, cases));
  for (StoredVerdict& verdict : stored.fresh) outcomes.push_back(std::move(verdict.outcome));
  return outcomes;
}

JudgedRun stored_report(const Project& project, const Selection& selection, const Caller& caller) {
  const std::vector<ManifestCase> cases = select_cases(project.manifest, selection);
  FreshResults stored = without_stale(read_verdicts(project, cases));
  JudgedRun result;
  tell_of_other_commits(caller, stored.of_other_commits, result.notices);
  std::vector<Outcome> outcomes;
  std::set<std::string> commits;
  for (StoredVerdict& verdict : stored.fresh) {
    commits.insert(verdict.commit);
    mark_accepted_since(project, verdict);
    outcomes.push_back(std::move(verdict.outcome));
  }
  const bool nothing = outcomes.empty();
  result.report = report_of(project, std::move(outcomes));
  result.report.commit = nothing ? project.commit : one_commit(caller, commits, result.notices);
  for (const ManifestCase& entry : cases) result.report.expected_cases.push_back(entry.name);
  result.report.missing_cases = not_measured(cases, result.report.outcomes);
  // verdict.json of the folder is that of the suite: a look at one case must not replace it.
  if (cases.size() == project.manifest.cases.size()) write_report(caller, project.out, result.report);
  return result;
}

}  // namespace stepgate
