#include "experiment/nodes/plan/make_sweep_plan.h"

#include "core/version.h"
#include "experiment/nodes/plan/plan_inputs.h"
#include "experiment/pairs/resumption.h"
#include "experiment/swept/planned_sweep.h"
#include "json/stored/shard_plan_json.h"
#include "launch/staged_builds.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

PlannedCase planned_rounds(const Project& project, const SweptCase& swept, const Plan& process) {
  PlannedCase planned;
  planned.plan.case_name = swept.entry.name;
  planned.plan.utc = project.start.utc;
  planned.plan.order_seed = process.seed;
  planned.plan.most_pairs = process.timed_replicates;
  planned.plan.head_digest = build_digest(build_of_case(project.manifest, swept.entry));
  planned.plan.head_commit = project.commit;
  planned.plan.plan = process;
  planned.tries = process.timed_replicates;
  planned.policy_digest = policy_digest(project, swept.entry.suite);
  return planned;
}

ShardPlan sweep_plan(const Project& project, const SweptCase& swept, const NodeSweepOptions& options) {
  ShardPlan plan = plan_of_project(project);
  plan.tier = TierChoice::timed;
  plan.guard = name_of(options.sweep.host.mode);
  plan.passed = options.sweep.measure.passed_variables;
  plan.shards = options.shards;
  plan.layout = NodeLayout::by_round;
  plan.mixed_nodes = options.mixed_nodes;
  plan.sweep = swept.plan;
  return plan;
}

/// Whether what was measured for `before` counts for `wanted`. When it began does not matter.
bool same_sweep(ShardPlan before, const ShardPlan& wanted) {
  before.cases.front().plan.utc = wanted.cases.front().plan.utc;
  before.mixed_nodes = wanted.mixed_nodes;
  return to_text(before) == to_text(wanted);
}

}  // namespace

OpenedPlan make_sweep_plan(const Project& project, const fs::path& folder, const NodeSweepOptions& options,
                           const Caller& caller) {
  const SweptCase swept = open_sweep(project, options.sweep, folder / "asked");
  const MeasuredHost any_host;  // each node finds its own
  const Run run{project, options.sweep.measure, any_host, caller};
  ShardPlan plan = sweep_plan(project, swept, options);
  plan.cases.push_back(planned_rounds(project, swept, sweep_request(run, swept).plan));
  const std::uint64_t seed = plan.cases.front().plan.order_seed;
  if (fs::exists(folder / "plan.json") && unfinished_seed(folder, seed)) {
    OpenedPlan before = open_plan(folder);
    if (before.plan.sweep && same_sweep(before.plan, plan)) {
      before.plan.mixed_nodes |= plan.mixed_nodes;
      return before;
    }
  }
  mark_unfinished(folder, seed);
  copy_plan_inputs(project, {swept.entry}, folder);
  stage_build(folder / "programs", build_of_case(project.manifest, swept.entry),
              swept.entry.program.filename().string(), false);
  return begin_shard_plan(folder, plan);
}

void finish_sweep_plan(const OpenedPlan& opened) { mark_finished(opened.folder); }

}  // namespace stepgate
