#include "experiment/studies/profiled/profile_difference.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "diagnose/difference/find_step_difference.h"
#include "experiment/pairs/observed_pairs.h"
#include "experiment/pairs/pair_run.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/studies/profiled/run_profile.h"
#include "json/results/step_difference_json.h"
#include "launch/staged_builds.h"
#include "system/files/file.h"

namespace stepgate {

std::filesystem::path profile_difference_folder(const Project& project, const std::string& case_name) {
  return project.out / "profile" / case_name / "difference";
}

std::optional<StepDifference> run_profile_difference(const Project& head, const ProfileDifferenceOptions& options,
                                                     const Caller& caller) {
  refuse_debug_build(head.manifest);
  const Project base = read_base_project(head, options.pairs);
  const ManifestCase entry = case_to_profile(head, options.case_name);
  const ManifestCase base_entry = case_named(base.manifest, options.case_name);
  refuse_unbuilt(head.manifest, {entry});
  const std::filesystem::path folder = profile_difference_folder(head, entry.name);
  prepare_result_folder(folder);

  const QuietHost quiet(options.host, {"profile", {entry}, options.measure.threads.value_or(1)}, caller);
  std::filesystem::remove_all(folder);  // not earlier: a wait for the machine alone loses no older difference
  prepare_result_folder(folder);
  const Run run{head, options.measure, quiet.measured(), caller};
  LaunchRequest request = request_for(run, entry, read_policy(head, entry.suite));
  request.plan.cpus = std::max(entry.cpus, base_entry.cpus);
  const StagedBuilds builds =
      stage_builds(head.out / "ab-builds" / entry.program.filename(), build_of_case(base.manifest, base_entry),
                   build_of_case(head.manifest, entry));
  const auto from_clock = static_cast<std::uint64_t>(head.start.unix_s);
  ObservedPairs observed = observe_pairs({.request = request,
                                          .builds = builds,
                                          .folder = folder,
                                          .order_seed = options.pairs.order_seed.value_or(from_clock)},
                                         caller);
  if (observed.base.empty() && observed.interrupted) return std::nullopt;
  if (observed.base.empty()) throw Error(ErrorKind::measure, entry.name + ": " + observed.problem, observed.remedy);

  StepDifference difference =
      step_difference({.base = std::move(observed.base), .head = std::move(observed.head), .timed = std::nullopt});
  difference.case_name = entry.name;
  difference.base_commit = base.commit;
  difference.head_commit = head.commit;
  if (!observed.problem.empty()) difference.notes.push_back(observed.problem + ": only changed work is listed");
  write_file_atomically(folder / "difference.json", to_text(difference));
  return difference;
}

}  // namespace stepgate
