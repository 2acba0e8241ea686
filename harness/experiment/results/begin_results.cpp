#include "experiment/results/begin_results.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "experiment/plan/in_parallel.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/report_files.h"
#include "experiment/results/suite_number.h"
#include "json/results/run_report_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Other kinds of the case that this one replaces whole: "all" measures both halves, and both halves together replace
/// an older "all". The second half is begun after the first, so no clock is needed to tell which is older.
std::vector<ResultKind> replaced_kinds(const Project& project, const ResultName& name) {
  if (name.kind == whole_gate) return {{.half = TierChoice::exact}, {.half = TierChoice::timed}};
  if (name.kind == result_of_pairs) return {};
  const ResultKind other{.half = name.kind.half == TierChoice::exact ? TierChoice::timed : TierChoice::exact};
  const bool both = fs::exists(folder_of(project, {name.case_name, other}) / "verdict.json");
  return both ? std::vector{whole_gate} : std::vector<ResultKind>{};
}

void begin_result(const Caller& caller, const Project& project, const ResultName& name) {
  const fs::path folder = folder_of(project, name);
  set_verdict_aside(caller, folder);
  RunReport unfinished = report_of(project, {});
  unfinished.suite = suite_number(project.out);
  unfinished.expected_cases = unfinished.missing_cases = {name.case_name};
  write_file_atomically(folder / "verdict.json", to_text(unfinished));
  for (const ResultKind& kind : replaced_kinds(project, name))
    set_verdict_aside(caller, folder_of(project, {name.case_name, kind}));
}

}  // namespace

void begin_results(const Caller& caller, const Project& project, const std::vector<ResultName>& names) {
  const auto prepare = [&](std::size_t at) { prepare_result_folder(folder_of(project, names[at])); };
  in_parallel(names.size(), prepare, threads_that_wait());
  suite_number(project.out);  // refuses a damaged one
  set_verdict_aside(caller, project.out);
  const bool pairs =
      std::any_of(names.begin(), names.end(), [](const ResultName& name) { return name.kind == result_of_pairs; });
  if (pairs) set_verdict_aside(caller, comparison_folder(project));
  const std::vector<std::vector<std::size_t>> cases = positions_by_case(names);
  const auto begin = [&](std::size_t at) {
    for (const std::size_t result : cases[at]) begin_result(caller, project, names[result]);
  };
  in_parallel(cases.size(), begin, threads_that_wait());
}

void begin_suite(const Caller& caller, const Project& project) {
  prepare_result_folder(project.out);
  // First the verdict that is read without a look at the number of the suite, as a required check does.
  set_verdict_aside(caller, project.out);
  set_verdict_aside(caller, comparison_folder(project));
  draw_suite_number(project.out);
  for (const ManifestCase& entry : project.manifest.cases) {
    for (const ResultKind& kind : result_kinds) set_verdict_aside(caller, folder_of(project, {entry.name, kind}));
  }
}

}  // namespace stepgate
