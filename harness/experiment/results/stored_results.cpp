#include "experiment/results/stored_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "experiment/plan/in_parallel.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/result_inputs.h"
#include "experiment/results/suite_number.h"
#include "json/results/run_report_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::optional<RunReport> report_at(const fs::path& file) {
  const auto text = read_text_file_if_present(file);
  return text ? std::optional(run_report_from_text(*text, file.string())) : std::nullopt;
}

/// "previous, of 4be1c0 (2026-11-21T10:00:00Z), pass"
std::string previous_text(const RunReport& report, const Outcome& outcome) {
  return fmt::format("previous, of {} ({}), {}", report.commit.empty() ? "an unknown commit" : report.commit,
                     report.utc, name_of(outcome.verdict.status));
}

/// Describes the run before the one that began last; "" if there is none. A damaged file is only left out: it decides
/// nothing.
std::string previous_in(const fs::path& folder) {
  try {
    const auto report = report_at(folder / "previous-verdict.json");
    if (report && !report->outcomes.empty()) return previous_text(*report, report->outcomes.front());
  } catch (const Error&) {
    return "previous, which cannot be read";
  }
  return "";
}

Notice not_counted(const ResultName& name, const std::string& why) {
  const bool pairs = name.kind == result_of_pairs;
  return {Severity::warning, fmt::format("{} ({}) is not counted: {}", name.case_name, name_of(name.kind), why),
          fmt::format("measure it again: stepgate {} {}{}", pairs ? "ab" : "gate", name.case_name,
                      pairs ? " --base-build DIR" : "")};
}

class ReadResults {
 public:
  explicit ReadResults(const Project& project) : project_(project), suite_(suite_number(project.out)) {}

  /// Parsing takes most of the time, so it is done on all CPUs; what counts is decided in the order of the cases.
  void read(const std::vector<ManifestCase>& cases) {
    std::vector<ReportsOfCase> reports(cases.size());
    in_parallel(cases.size(), [&](std::size_t at) {
      for (const ResultKind& kind : result_kinds)
        reports[at].push_back(report_at(folder_of(project_, {cases[at].name, kind}) / "verdict.json"));
    });
    for (std::size_t at = 0; at < cases.size(); ++at) take_case(cases[at], reports[at]);
  }

  /// A report of the whole suite run says what no case says: which ones are gone. That of thousands of cases has 60 MB,
  /// so one that says nothing of limits is not parsed.
  void read_suite() {
    try {
      const fs::path file = project_.out / "verdict.json";
      const auto text = read_text_file_if_present(file);
      if (!text || text->find("\"limits\"") == std::string::npos) return;
      const RunReport report = run_report_from_text(*text, file.string());
      if (report.suite == suite_ && report.limits) results_.limits.push_back(*report.limits);
    } catch (const Error&) {  // it is about to be written anew
    }
  }

  StoredResults take_all() { return std::move(results_); }

 private:
  using ReportsOfCase = std::vector<std::optional<RunReport>>;  ///< one for each of result_kinds

  void take_case(const ManifestCase& entry, ReportsOfCase& reports) {
    const std::size_t before = results_.counted.size();
    std::vector<Notice> only_previous;
    std::size_t at = 0;
    for (const ResultKind& kind : result_kinds) {
      const ResultName name{entry.name, kind};
      std::optional<RunReport>& report = reports[at++];
      if (report) {
        take(entry, name, *report);
        report.reset();
      } else if (const std::string previous = previous_in(folder_of(project_, name)); !previous.empty()) {
        only_previous.push_back(not_counted(name, previous));
      }
    }
    // If a result of the case counts, a previous one of its other half is of no interest.
    if (results_.counted.size() > before) return;
    for (Notice& notice : only_previous) results_.notices.push_back(std::move(notice));
  }

  void take(const ManifestCase& entry, const ResultName& name, RunReport& report) {
    if (report.outcomes.empty()) {
      const std::string previous = previous_in(folder_of(project_, name));
      results_.unfinished.insert(entry.name);
      results_.notices.push_back(not_counted(name, fmt::format("the run that began {} has not ended{}{}", report.utc,
                                                               previous.empty() ? "" : "; ", previous)));
      return;
    }
    for (Outcome& outcome : report.outcomes) {
      if (const std::string why = why_stale(entry, report, outcome); !why.empty()) {
        results_.notices.push_back(not_counted(name, fmt::format("{}: {}", previous_text(report, outcome), why)));
        continue;
      }
      results_.counted.push_back(std::move(outcome));
      results_.commits.insert(report.commit);
      results_.newest_utc = std::max(results_.newest_utc, report.utc);
      if (report.limits) results_.limits.push_back(*report.limits);
    }
  }

  std::string why_stale(const ManifestCase& entry, const RunReport& report, const Outcome& outcome) {
    if (report.suite != suite_) return "it is of another suite run (report --begin)";
    return why_of_other_files(project_, entry, outcome, digests_);
  }

  const Project& project_;
  std::string suite_;
  KnownDigests digests_;
  StoredResults results_;
};

}  // namespace

StoredResults read_results(const Project& project, const std::vector<ManifestCase>& cases) {
  ReadResults all(project);
  all.read(cases);
  if (cases.size() == project.manifest.cases.size()) all.read_suite();
  return all.take_all();
}

}  // namespace stepgate
