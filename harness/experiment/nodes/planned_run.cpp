#include "experiment/nodes/planned_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/path_text.h"
#include "experiment/ab_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "json/stored/manifest_json.h"
#include "launch/staged_builds.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The plan folder has one copy of each program, under the name of the base program.
fs::path copied_program(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) return entry.path();
  }
  throw Error(ErrorKind::measure, fmt::format("no program in {}", folder.string()),
              "make the plan again: stepgate plan");
}

void require_planned(const std::string& what, const std::string& planned, const std::string& found) {
  if (planned == found) return;
  throw Error(ErrorKind::measure, fmt::format("{} is not the one that was planned", what),
              "make the plan again, or send this node what the plan has: stepgate plan");
}

void require_same_policy(const Project& project, const ManifestCase& entry, const PlannedCase& planned) {
  require_planned(fmt::format("{}: the policy of suite {}", entry.name, entry.suite), planned.policy_digest,
                  policy_digest(project, entry.suite));
}

}  // namespace

Project project_of_plan(const OpenedPlan& opened, const fs::path& out) {
  const ShardPlan& plan = opened.plan;
  Project project;
  // Its rules decide: another version may judge the same pairs otherwise.
  require_planned("this program stepgate", plan.launcher_digest, own_program_digest());
  const fs::path manifest = opened.folder / "head-manifest.json";
  if (!plan.manifest_digest.empty()) require_planned("the manifest", plan.manifest_digest, text_file_digest(manifest));
  project.manifest = manifest_from_text(read_text_file(manifest), plan.head_manifest);
  project.policy_root = opened.folder / "policies";
  project.baseline_root = plan.baseline_root;
  project.data_dir = plan.data_dir;
  project.out = out;
  project.runner_class = path_text(PathText::runner_class, plan.runner_class);
  project.require_gpu = plan.require_gpu;
  if (!plan.cases.empty()) project.commit = plan.cases.front().plan.head_commit;
  project.start = now();
  return project;
}

MeasureOptions measure_options_of(const ShardPlan& plan) {
  return {.tier = plan.tier, .passed_variables = plan.passed};
}

const PlannedCase& planned_case(const ShardPlan& plan, const std::string& case_name) {
  const auto found = std::find_if(plan.cases.begin(), plan.cases.end(),
                                  [&](const PlannedCase& planned) { return planned.plan.case_name == case_name; });
  if (found != plan.cases.end()) return *found;
  throw Error(ErrorKind::usage, fmt::format("the plan does not have the case {}", case_name), "make the plan again");
}

void refuse_unplanned_indices(const PlannedCase& planned, const CaseShare& share) {
  for (const std::int64_t index : share.pairs) {
    if (index < planned.tries) continue;
    throw Error(ErrorKind::measure,
                fmt::format("the share of a node has number {} of {}, and the plan has 0 to {}", index, share.case_name,
                            planned.tries - 1),
                "make the plan again: stepgate plan");
  }
}

PairCase pair_case_to_judge(const Run& run, const PlannedCase& planned) {
  PairCase judged;
  judged.case_plan = plan_ab_case(run, case_named(run.project.manifest, planned.plan.case_name));
  require_same_policy(run.project, judged.case_plan.entry, planned);
  judged.case_plan.entry.cpus = planned.plan.plan.cpus;
  judged.case_plan.request.plan = planned.plan.plan;
  judged.case_plan.request.may_lengthen_windows = planned.may_lengthen;
  judged.case_plan.request.commit = planned.plan.head_commit;
  judged.plan = planned.plan;
  judged.plan.complete = false;
  judged.folder = run.project.out / planned.plan.case_name / "ab";
  return judged;
}

SweptCase swept_case_to_rank(const Project& project, const ShardPlan& plan) {
  const PlannedCase& planned = plan.cases.front();
  SweptCase swept{
      .entry = case_named(project.manifest, planned.plan.case_name), .policy = {}, .plan = plan.sweep.value()};
  require_same_policy(project, swept.entry, planned);
  swept.entry.cpus = planned.plan.plan.cpus;
  swept.policy = read_policy(project, swept.entry.suite);
  return swept;
}

SweptCase swept_case_on_node(const Run& run, const OpenedPlan& opened) {
  const PlannedCase& planned = opened.plan.cases.front();
  SweptCase swept = swept_case_to_rank(run.project, opened.plan);
  const fs::path name = swept.entry.program.filename();
  const ProgramBuild staged =
      stage_build(run.project.out / "programs", program_build(opened.folder / "programs" / name, opened.folder),
                  name.string(), false);
  require_planned(fmt::format("{}: the program", planned.plan.case_name), planned.plan.head_digest,
                  build_digest(staged));
  swept.entry.program = staged.program;
  prepare_result_folder(run.project.out / "sweep");
  return swept;
}

PairCase pair_case_on_node(const Run& run, const OpenedPlan& opened, const PlannedCase& planned) {
  PairCase measured = pair_case_to_judge(run, planned);
  const ManifestCase& entry = measured.case_plan.entry;
  const std::string& name = planned.plan.case_name;
  const fs::path programs = opened.folder / "ab-builds" / entry.program.filename();
  measured.builds = stage_builds(run.project.out / "ab-builds" / entry.program.filename(),
                                 program_build(copied_program(programs / "base"), opened.folder),
                                 program_build(copied_program(programs / "head"), opened.folder));
  require_planned(fmt::format("{}: the base program", name), planned.plan.base_digest, measured.builds.base_digest);
  require_planned(fmt::format("{}: the head program", name), planned.plan.head_digest, measured.builds.head_digest);
  prepare_result_folder(measured.folder);
  return measured;
}

}  // namespace stepgate
