// The processes of one profile, phase after phase.
#pragma once

#include <filesystem>

#include "experiment/plan/case_plan.h"
#include "experiment/studies/profiled/profile_options.h"
#include "experiment/studies/profiled/profile_result.h"

namespace stepgate {

/// References must outlive the run.
struct ProfiledCase {
  const ManifestCase& entry;
  const Policy& policy;
  const std::filesystem::path& folder;  ///< folder of its result
};

/// Measures the phases that are asked for, stores each measurement before the next begins, and explains what was
/// measured. A phase that fails is the last one; Profile::stopped says why. After a baseline whose times mean nothing
/// one process observes the operators.
ProfileResult run_phases(const Run& run, const ProfiledCase& profiled, const ProfileOptions& options);

}  // namespace stepgate
