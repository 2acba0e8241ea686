#include "experiment/studies/run_profile.h"

#include <fmt/format.h>

#include "core/error.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/studies/profile_phases.h"

namespace stepgate {

namespace fs = std::filesystem;

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
  const ManifestCase entry = case_to_profile(project, options.case_name);
  refuse_unbuilt(project.manifest, {entry});
  const Policy policy = read_policy(project, entry.suite);
  const fs::path folder = profile_folder(project, entry.name);
  prepare_result_folder(folder);

  const QuietHost quiet(options.host, {"profile", {entry}, options.measure.threads.value_or(1)}, caller);
  const Run run{project, options.measure, quiet.measured(), caller};
  return run_phases(run, {entry, policy, folder}, options);
}

}  // namespace stepgate
