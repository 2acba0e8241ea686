#include "experiment/check_measurements.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/text/number_format.h"
#include "core/text/shell_quoted.h"
#include "experiment/confirmation.h"
#include "experiment/judged_case.h"
#include "experiment/pairs/exact_sides.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/plan/in_parallel.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/case_judgement.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_folders.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// What all files of a check share. Borrows.
struct Check {
  const Project& project;
  const CheckOptions& options;
  const Caller& caller;
  KnownDigests& digests;
};

/// What is left of a measurement once it was judged: all measurements of a large suite take gigabytes.
struct CheckedCase {
  std::string commit;
  Outcome outcome;
  PendingBaselines pending;
  std::optional<Notice> unconfirmed;
};

/// One of the two.
struct CheckedFile {
  std::optional<CheckedCase> judged;
  std::optional<Notice> left_out;
};

/// The half that was asked for; where none was, the one that was measured.
TierChoice half_to_judge(TierChoice given, const ManifestCase& entry, const Measurement& measurement) {
  const TierChoice asked = gated_half(given, entry);
  const bool exact = has_group(measurement, Group::exact);
  if (asked != TierChoice::all || exact == has_group(measurement, Group::timed)) return asked;
  return exact ? TierChoice::exact : TierChoice::timed;
}

/// Only the exact half of a case TIERS exact is judged.
void refuse_ungated_times(const ManifestCase& entry, TierChoice half, const Measurement& measurement) {
  if (entry.gates_times || (half != TierChoice::timed && has_group(measurement, Group::exact))) return;
  throw Error(ErrorKind::usage, fmt::format("{} has no gated times: it is declared TIERS exact", entry.name),
              fmt::format("compare two builds: stepgate ab {} --base-build DIR", entry.name));
}

Notice changed_program(const Measurement& measurement) {
  const std::string& name = measurement.case_name;
  return {Severity::warning,
          fmt::format("{}: what was measured {} is left out: its program changed since", name, measurement.utc),
          fmt::format("measure it again: stepgate run {}", name)};
}

Notice unconfirmed_bytes(const Caller& caller, const JudgedCase& judged) {
  const std::string& name = judged.plan.entry.name;
  return {Severity::warning,
          fmt::format("{}: red in bytes on {}, which may agree by chance", name,
                      counted(exact_processes(judged.measurement), "process", "processes")),
          caller.commands.gate(name, TierChoice::exact)};
}

/// A stored measurement, judged by the files that are there now.
JudgedCase judged_case(const Check& check, const ManifestCase& entry, Measurement measurement) {
  const TierChoice half = half_to_judge(check.options.tier, entry, measurement);
  refuse_ungated_times(entry, half, measurement);
  JudgedCase judged{.inputs = inputs_of_gate(check.project, entry, half, check.digests),
                    .plan = {},
                    .measurement = std::move(measurement),
                    .comparison = {}};
  judged.inputs["program"] = judged.measurement.program_digest;
  judged.plan = {.entry = entry, .tier = half, .files = read_case_files(check.project, entry, half), .request = {}};
  judged.comparison = judge(against_stored(check.project, judged.plan, judged.measurement));
  return judged;
}

/// A file that was named must be of the class at hand; among stored ones that of another GPU is left out.
std::optional<Notice> of_another_gpu(const Check& check, const Measurement& measurement, const fs::path& file) {
  const std::string why = why_of_another_gpu(measurement, check.project.runner_class);
  if (why.empty()) return std::nullopt;
  const std::string next =
      fmt::format("stepgate check {} {}", option_of_class(measurement), shell_quoted(file.string()));
  if (!check.options.files.empty()) throw Error(ErrorKind::usage, fmt::format("{} {}", file.string(), why), next);
  return Notice{Severity::warning, fmt::format("{} {}: it is left out", measurement.case_name, why), next};
}

CheckedFile checked_file(const Check& check, const fs::path& file) {
  Measurement measurement = read_measurement(file);
  refuse_profiled(measurement);
  if (std::optional<Notice> other = of_another_gpu(check, measurement, file))
    return {.judged = std::nullopt, .left_out = std::move(other)};
  const ManifestCase entry = case_named(check.project.manifest, measurement.case_name);
  // A file that was named is judged whatever its program is.
  if (check.options.files.empty() && check.digests.of(entry.program) != measurement.program_digest)
    return {.judged = std::nullopt, .left_out = changed_program(measurement)};
  const JudgedCase judged = judged_case(check, entry, std::move(measurement));
  CheckedCase checked{.commit = judged.measurement.commit,
                      .outcome = outcome_of(check.project, judged),
                      .pending = pending_baselines(check.project, judged.measurement, judged.comparison),
                      .unconfirmed = std::nullopt};
  if (processes_to_confirm(judged.comparison.verdict, judged.measurement) > 0)
    checked.unconfirmed = unconfirmed_bytes(check.caller, judged);
  return {.judged = std::move(checked), .left_out = std::nullopt};
}

std::vector<CheckedCase> checked_cases(const Check& check, std::vector<Notice>& notices) {
  const Project& project = check.project;
  const bool stored = check.options.files.empty();
  const std::vector<fs::path> files =
      stored ? result_files(project, project.manifest.cases, "measurement.json") : check.options.files;
  std::vector<CheckedFile> checked(files.size());
  in_parallel(files.size(), [&](std::size_t at) { checked[at] = checked_file(check, files[at]); });
  std::vector<CheckedCase> cases;
  for (CheckedFile& file : checked) {
    if (file.left_out) tell(check.caller, *std::move(file.left_out), notices);
    if (file.judged) cases.push_back(*std::move(file.judged));
  }
  if (!cases.empty()) return cases;
  throw Error(ErrorKind::usage,
              fmt::format("no measurement.json {}below {}", files.empty() ? "" : "of the programs as they are now ",
                          project.out.string()),
              "measure first: stepgate run CASE, or name the folder of results: --out DIR");
}

void write_case(const Caller& caller, const Project& project, CheckedCase& checked) {
  Outcome& outcome = checked.outcome;
  add_pending(caller, write_pending_files(project, checked.pending), outcome);
  checked.pending.clear();
  const fs::path folder = folder_of(project, {outcome.verdict.case_name, outcome.kind});
  write_report(caller, project, folder, report_of(project, {outcome}));
}

}  // namespace

JudgedRun check_measurements(const Project& project, const CheckOptions& options, const Caller& caller) {
  JudgedRun result;
  KnownDigests digests;
  std::vector<CheckedCase> cases = checked_cases({project, options, caller, digests}, result.notices);
  std::set<std::string> commits;
  std::vector<ResultName> names;
  for (const CheckedCase& each : cases) {
    commits.insert(each.commit);
    names.push_back({each.outcome.verdict.case_name, each.outcome.kind});
  }
  Project measured = project;
  measured.commit = one_commit(caller, commits, result.notices);
  begin_results(caller, measured, names);

  for (CheckedCase& each : cases) {
    if (each.unconfirmed) tell(caller, *std::move(each.unconfirmed), result.notices);
  }
  const std::vector<std::vector<std::size_t>> by_case = positions_by_case(names);
  const auto write = [&](std::size_t at) {
    for (const std::size_t each : by_case[at]) write_case(caller, measured, cases[each]);
  };
  in_parallel(by_case.size(), write, threads_that_wait());
  std::vector<Outcome> outcomes;
  for (CheckedCase& each : cases) outcomes.push_back(std::move(each.outcome));
  result.report = report_of(measured, std::move(outcomes));
  return result;
}

}  // namespace stepgate
