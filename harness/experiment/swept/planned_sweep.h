// A sweep as it is asked for, checked before anything runs.
#pragma once

#include <filesystem>

#include "core/stored/policy.h"
#include "core/study/sweep.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"
#include "experiment/swept/sweep_options.h"

namespace stepgate {

/// The case with as many CPUs as its most demanding setting needs: all settings are measured on as many.
struct SweptCase {
  ManifestCase entry;
  Policy policy;
  SweepPlan plan;
};

/// `folder` gets the parameters that the program declares. Throws as run_sweep() does.
SweptCase open_sweep(const Project& project, const SweepOptions& options, const std::filesystem::path& folder);

/// What every process of the sweep has in common.
LaunchRequest sweep_request(const Run& run, const SweptCase& swept);

/// Ranks the settings by the margins of the policy.
void rank_sweep(const Policy& policy, Sweep& sweep);

}  // namespace stepgate
