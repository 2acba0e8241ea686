// One case of a run in pairs: its two builds, its plan, and the folder where its pairs are kept.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/study/ab_plan.h"
#include "experiment/pairs/pair_run.h"
#include "launch/staged_builds.h"

namespace stepgate {

struct PairCase {
  CasePlan
      case_plan;  ///< of the head build; its request is of one process: program, folder and groups are set for each
  StagedBuilds builds;
  AbPlan plan;
  std::filesystem::path folder;
  double budget_s = 0;               ///< no pair begins after this long; 0: no limit
  std::set<std::string> asked = {};  ///< metrics that a pre-check calls worse: pairs go on until they are decided
};

/// Copies the programs, and takes up an interrupted run of the same two builds below <out>/<case>/ab, else clears what
/// lies there and writes a new plan. Throws Error(usage) where the base build has no such case.
PairCase open_pair_case(PairRun& pairs, const CasePlan& head);

}  // namespace stepgate
