#include "experiment/result_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "core/version.h"
#include "json/records/measurement_json.h"
#include "json/results/run_report_json.h"
#include "launch/stored_records.h"
#include "report/gate/junit_report.h"
#include "report/gate/markdown_report.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path suite_start(const Context& context) { return context.options.out / "suite-start.txt"; }

/// Start of the suite run in seconds, 0 where none was begun: then every verdict counts.
std::int64_t read_suite_start(const Context& context) {
  if (!fs::exists(suite_start(context))) return 0;
  return std::strtoll(read_text_file(suite_start(context)).c_str(), nullptr, 10);
}

std::vector<fs::path> result_files(const Context& context, const char* name) {
  std::vector<fs::path> files;
  for (const ManifestCase& entry : context.manifest.cases) {
    for (const char* tier : {"exact", "timed", "all", "ab"}) {
      const fs::path file = context.options.out / entry.name / tier / name;
      if (fs::exists(file)) files.push_back(file);
    }
  }
  return files;
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

std::string one_commit(const std::set<std::string>& commits) {
  if (commits.size() == 1) return *commits.begin();
  if (!commits.empty()) {
    fmt::print(stderr,
               "stepgate: these results are of different commits ({}); the report names none\n  next: measure all of "
               "them again\n",
               fmt::join(commits, ", "));
  }
  return "";
}

void prepare_result_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorKind::usage, fmt::format("--out: cannot create {}: {}", folder.string(), failed.message()),
                "name a folder that can be written: --out DIR");
  std::string probe = (folder / ".writable-XXXXXX").string();
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0)
    throw Error(ErrorKind::usage, fmt::format("--out: cannot write in {}: {}", folder.string(), std::strerror(errno)),
                "name a folder that can be written: --out DIR");
  close(descriptor);
  unlink(probe.c_str());
}

std::vector<Measurement> read_measurements(const Context& context) {
  std::vector<fs::path> files(context.options.arguments.begin(), context.options.arguments.end());
  if (files.empty()) files = result_files(context, "measurement.json");
  if (files.empty())
    throw Error(ErrorKind::usage, fmt::format("no measurement.json below {}", context.options.out.string()),
                "measure first: stepgate run");
  std::vector<Measurement> measurements;
  for (const fs::path& file : files) measurements.push_back(measurement_from_text(read_text_file(file), file.string()));
  return measurements;
}

void write_measurement(const fs::path& folder, const Measurement& measurement) {
  write_file_atomically(folder / "measurement.json", to_text(measurement));
  remove_stored_records(folder, measurement);
}

RunReport report_of(const Context& context, std::vector<Outcome> outcomes) {
  if (context.options.require_gpu) fail_skipped(outcomes);
  worst_first(outcomes);
  RunReport report;
  report.utc = context.start.utc;
  report.commit = context.commit;
  report.runner_class = context.options.runner_class;
  report.stepgate_version = version;
  report.outcomes = std::move(outcomes);
  return report;
}

void write_report(const fs::path& folder, const RunReport& report) {
  write_file_atomically(folder / "verdict.json", to_text(report));
  const JunitStyle style;
  write_file_atomically(folder / "junit.xml", render_junit(report, style));
  write_file_atomically(folder / "summary.md", render_markdown(report, {}));
}

void begin_suite(const Context& context) {
  prepare_result_folder(context.options.out);
  // Old verdicts go, so that a case that is not measured this time cannot show last time's green.
  for (const fs::path& file : result_files(context, "verdict.json")) fs::remove(file);
  write_file_atomically(suite_start(context), fmt::format("{}\n", context.start.unix_s));
}

StoredOutcomes read_outcomes(const Context& context) {
  const std::int64_t start = read_suite_start(context);
  StoredOutcomes stored;
  for (const fs::path& file : result_files(context, "verdict.json")) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0 || status.st_mtime < start) continue;
    RunReport report = run_report_from_text(read_text_file(file), file.string());
    std::move(report.outcomes.begin(), report.outcomes.end(), std::back_inserter(stored.outcomes));
    stored.commits.insert(report.commit);
  }
  worst_first(stored.outcomes);
  return stored;
}

}  // namespace stepgate
