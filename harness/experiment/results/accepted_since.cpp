#include "experiment/results/accepted_since.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "baseline/baseline_path.h"
#include "core/text/case_name.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

bool was_written_after(const fs::path& file, fs::file_time_type moment) {
  std::error_code absent;
  const auto written = fs::last_write_time(file, absent);
  return !absent && written > moment;
}

bool was_accepted_since(const Project& project, const StoredVerdict& verdict) {
  const std::string& name = verdict.outcome.verdict.case_name;
  if (!is_case_name(name)) return false;  // a damaged file: it has no baseline
  bool accepted = false;
  for (const BaselineName& file : baseline_names(project.runner_class, name)) {
    if (fs::exists(baseline_path(project.out / "pending", file))) return false;
    accepted |= was_written_after(baseline_path(project.baseline_root, file), verdict.written);
  }
  return accepted;
}

}  // namespace

void mark_accepted_since(const Project& project, StoredVerdict& verdict) {
  Outcome& outcome = verdict.outcome;
  if (outcome.accept_command.empty() || !was_accepted_since(project, verdict)) return;
  outcome.accept_command.clear();
  outcome.pending_path.clear();
  outcome.verdict.detail = "a baseline of this case was accepted after this verdict";
  outcome.findings.insert(outcome.findings.begin(),
                          {.code = "accepted-since",
                           .severity = Severity::cause,
                           .message = "a baseline of this case was accepted after this verdict, which does not know it",
                           .advice = "gate the case again: stepgate gate " + outcome.verdict.case_name,
                           .metric = ""});
}

}  // namespace stepgate
