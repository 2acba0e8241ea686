// A plan for nodes as the experiment that it describes: its project, its cases and how they are measured.
#pragma once

#include <filesystem>

#include "experiment/nodes/plan/plan_folder.h"
#include "experiment/pairs/pair_case.h"
#include "experiment/swept/planned_sweep.h"

namespace stepgate {

/// The head's project as the plan fixed it; results go to `out`. `runner_class` and commits are the plan's. Throws
/// Error(measure) where the manifest is not the one that was planned.
Project project_of_plan(const OpenedPlan& opened, const std::filesystem::path& out);

/// What the processes of the plan have in common.
MeasureOptions measure_options_of(const ShardPlan& plan);

/// The case with the plan's counts; its programs are staged below `folder`, and its results go to `folder`/CASE/ab.
/// Throws Error(measure) where a program or the policy is not the one that was planned.
PairCase pair_case_on_node(const Run& run, const OpenedPlan& opened, const PlannedCase& planned);

/// The same for judging: no program is read. Throws Error(measure) where the policy is not the one that was planned.
PairCase pair_case_to_judge(const Run& run, const PlannedCase& planned);

/// The swept case of the plan; its program is staged below `run.project.out`. Throws as pair_case_on_node() does.
SweptCase swept_case_on_node(const Run& run, const OpenedPlan& opened);

/// The same for ranking: no program is read. Throws as pair_case_to_judge() does.
SweptCase swept_case_to_rank(const Project& project, const ShardPlan& plan);

/// Throws Error(usage) where the plan does not have the case.
const PlannedCase& planned_case(const ShardPlan& plan, const std::string& case_name);

/// Throws Error(measure) where the share has a pair or round that the plan does not have.
void refuse_unplanned_indices(const PlannedCase& planned, const CaseShare& share);

}  // namespace stepgate
