// A profile of one case: the baseline, then the experiments that prove what limits its step, then its operators. Phases
// run in this order, and none runs after one that failed.
#pragma once

#include <filesystem>
#include <string>

#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "experiment/studies/profiled/profile_options.h"
#include "experiment/studies/profiled/profile_result.h"

namespace stepgate {

/// <out>/profile/<case>: profile.json, its other forms, and one folder per group of processes.
std::filesystem::path profile_folder(const Project& project, const std::string& case_name);

/// Throws Error(usage) for a plain Google Benchmark program, whose steps are not seen.
ManifestCase case_to_profile(const Project& project, const std::string& name);

/// Measures, writes each measurement.json as soon as its processes ended, and explains. A baseline that failed
/// ends it: Profile::stopped has the reason and the next command. So does one that was discarded or is not steady, but
/// one process still observes the operators, because counts need no quiet machine. A failed process of a
/// later phase ends that phase; the results of the others are explained. The same holds after a signal, marked as
/// interrupted. Throws as case_to_profile(), and Error(usage)
/// for a parameter that the case does not declare.
ProfileResult run_profile(const Project& project, const ProfileOptions& options, const Caller& caller);

}  // namespace stepgate
