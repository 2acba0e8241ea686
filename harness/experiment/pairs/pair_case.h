// One case of a run in pairs: its two builds, its plan, and the folder where its pairs are kept.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/study/ab_plan.h"
#include "core/verdict/paired_values.h"
#include "experiment/pairs/pair_run.h"
#include "launch/staged_builds.h"

namespace stepgate {

/// A case that is to be measured next. Borrows its plan.
struct CaseToPair {
  const CasePlan& plan;                       ///< plan of the head build
  std::set<std::string> asked = {};           ///< metrics that its pre-check calls worse
  std::optional<ControlResult> control = {};  ///< the run's A/A control, where a case before was measured for it
};

struct PairCase {
  CasePlan case_plan;  ///< plan of the head build; its request is for one process: program, folder and groups vary
  StagedBuilds builds;
  AbPlan plan;
  std::filesystem::path folder;
  double budget_s = 0;               ///< no pair begins after this long; 0: no limit
  std::set<std::string> asked = {};  ///< metrics that a pre-check calls worse: pairs go on until they are decided
  std::vector<Notice> notices = {};  ///< what matters for how the verdict is read; the observer was told them
};

/// Copies the programs. Takes up an interrupted run of the same two builds below <out>/<case>/ab; otherwise clears the
/// files there and writes a new plan. Throws Error(usage) if the base build has no such case.
PairCase open_pair_case(const PairRun& pairs, const CaseToPair& wanted);

}  // namespace stepgate
