#include "experiment/studies/profiled/run_profile.h"

#include <fmt/format.h>

#include "core/error.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/studies/profiled/profile_phases.h"
#include "experiment/swept/sweep_grid.h"
#include "experiment/swept/swept_case.h"

namespace stepgate {

namespace fs = std::filesystem;

namespace {

void refuse_unknown_params(const ProfileOptions& options, const ManifestCase& entry, const fs::path& folder) {
  if (options.params.empty()) return;
  GivenParameters given{.option = "--param", .names = {}};
  for (const auto& [name, value] : options.params) given.names.push_back(name);
  refuse_undeclared(entry, given, folder);
}

/// Loader workers need CPUs beside the threads of the step, as in a sweep.
std::int64_t cpus_with(const ProfileOptions& options, const ManifestCase& entry) {
  Plan plan;
  plan.cpus = entry.cpus;
  plan.threads = options.measure.threads.value_or(1);
  std::vector<SweptParameter> parameters;
  std::vector<std::string> values;
  for (const auto& [name, value] : options.params) {
    parameters.push_back({name, {value}});
    values.push_back(value);
  }
  return parameters.empty() ? entry.cpus : cpus_for(plan, parameters, {values});
}

}  // namespace

ManifestCase case_to_profile(const Project& project, const std::string& name) {
  ManifestCase entry = case_named(project.manifest, name);
  if (entry.benchmark.empty()) return entry;
  throw Error(ErrorKind::usage,
              fmt::format("{} cannot be profiled: it is a plain Google Benchmark program, whose steps and operators "
                          "stepgate cannot see",
                          entry.name),
              "profile a case of a perftest program; stepgate list names them");
}

fs::path profile_folder(const Project& project, const std::string& case_name) {
  return project.out / "profile" / case_name;
}

ProfileResult run_profile(const Project& project, const ProfileOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  ManifestCase entry = case_to_profile(project, options.case_name);
  MeasurableCases chosen{.cases = {entry}, .notices = {}};
  keep_emulated_cases(project, {.names = {entry.name}, .globs = {}}, chosen);
  for (const Notice& notice : chosen.notices) caller.observer.on_notice(notice);
  refuse_unbuilt(project.manifest, {entry});
  const Policy policy = read_policy(project, entry.suite);
  const fs::path folder = profile_folder(project, entry.name);
  prepare_result_folder(folder);
  refuse_unknown_params(options, entry, folder);
  entry.cpus = cpus_with(options, entry);

  const QuietHost quiet(options.host, {"profile", {entry}, options.measure.threads.value_or(1), project.emulated},
                        caller);
  const Run run{project, options.measure, quiet.measured(), caller};
  return run_phases(run, {entry, policy, folder}, options);
}

}  // namespace stepgate
