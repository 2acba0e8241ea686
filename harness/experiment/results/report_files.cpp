#include "experiment/results/report_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "core/version.h"
#include "experiment/plan/measurement_files.h"
#include "json/results/run_report_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path suite_start(const Project& project) { return project.out / "suite-start.txt"; }

/// Start of the suite run in seconds, 0 where none was begun: then every verdict counts.
std::int64_t read_suite_start(const Project& project) {
  if (!fs::exists(suite_start(project))) return 0;
  return std::strtoll(read_text_file(suite_start(project)).c_str(), nullptr, 10);
}

/// Cases of the manifest without a verdict.
std::vector<std::string> not_measured(const Manifest& manifest, const std::vector<Outcome>& outcomes) {
  std::vector<std::string> missing;
  for (const ManifestCase& entry : manifest.cases) {
    const bool found = std::any_of(outcomes.begin(), outcomes.end(),
                                   [&](const Outcome& outcome) { return outcome.verdict.case_name == entry.name; });
    if (!found) missing.push_back(entry.name);
  }
  return missing;
}

/// Before anything is shown, so that console, files and exit status agree.
void fail_skipped(std::vector<Outcome>& outcomes) {
  for (Outcome& outcome : outcomes) {
    if (outcome.verdict.status != Status::skipped) continue;
    outcome.verdict.status = Status::failed;
    outcome.verdict.detail += "; --require-gpu allows no skipped case";
  }
}

void worst_first(std::vector<Outcome>& outcomes) {
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& a, const Outcome& b) { return a.verdict.status > b.verdict.status; });
}

}  // namespace

std::vector<fs::path> result_files(const Project& project, const std::string& name) {
  std::vector<fs::path> files;
  for (const ManifestCase& entry : project.manifest.cases) {
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
  if (project.require_gpu) fail_skipped(outcomes);
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

void begin_suite(const Project& project) {
  prepare_result_folder(project.out);
  // Old verdicts go, so that a case that is not measured this time cannot show the green of last time.
  for (const fs::path& file : result_files(project, "verdict.json")) fs::remove(file);
  write_file_atomically(suite_start(project), fmt::format("{}\n", project.start.unix_s));
}

StoredOutcomes read_outcomes(const Project& project) {
  const std::int64_t start = read_suite_start(project);
  StoredOutcomes stored;
  for (const fs::path& file : result_files(project, "verdict.json")) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0 || status.st_mtime < start) continue;
    RunReport report = run_report_from_text(read_text_file(file), file.string());
    std::move(report.outcomes.begin(), report.outcomes.end(), std::back_inserter(stored.outcomes));
    stored.commits.insert(report.commit);
  }
  worst_first(stored.outcomes);
  return stored;
}

ExperimentResult stored_report(const Project& project, const Caller& caller) {
  StoredOutcomes stored = read_outcomes(project);
  ExperimentResult result;
  const bool nothing = stored.outcomes.empty();
  result.report = report_of(project, std::move(stored.outcomes));
  result.report.commit = nothing ? project.commit : one_commit(caller, stored.commits, result.notices);
  for (const ManifestCase& entry : project.manifest.cases) result.report.expected_cases.push_back(entry.name);
  result.report.missing_cases = not_measured(project.manifest, result.report.outcomes);
  write_report(caller, project.out, result.report);
  return result;
}

}  // namespace stepgate
