// The plan of one case: what its processes are asked for, and the files it is judged by. Read once.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/record/measurement.h"
#include "core/stored/baseline.h"
#include "core/stored/manifest.h"
#include "core/stored/policy.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/measured_host.h"
#include "experiment/plan/project.h"
#include "launch/measure_case.h"

namespace stepgate {

/// What the cases of one experiment share. Borrows.
struct Run {
  const Project& project;
  const MeasureOptions& measure;
  const MeasuredHost& host;
  const Caller& caller;
};

/// Policy and baselines of one case. Every decision about the case rests on these.
struct CaseFiles {
  Policy policy;
  std::optional<Baseline> exact = {};  ///< baseline of scope portable; for a case on a GPU, of scope device
  std::optional<Baseline> runner = {};
};

/// The policy, and the baselines that the half is held against. If a GPU has no exact baseline, the runner's file is
/// read for the exact half too: an older version stored the counters there, and the verdict says so.
CaseFiles read_case_files(const Project& project, const ManifestCase& entry, TierChoice half);

struct CasePlan {
  ManifestCase entry;
  TierChoice tier = TierChoice::all;
  CaseFiles files;
  LaunchRequest request;
};

CasePlan plan_case(const Run& run, const ManifestCase& entry);

/// Which step counts the timed processes run. Counts that were given hold; else those of the baseline, so that times
/// stay comparable; else the first process decides (launch/window_length.h).
void settle_windows(CasePlan& plan);

/// Tells that the first process decided for more steps.
Notice lengthened_windows(const std::string& case_name, const std::map<std::string, std::int64_t>& steps);

/// What the launcher is asked for. Throws Error(usage) for the runner class of an emulated GPU without one.
LaunchRequest request_for(const Run& run, const ManifestCase& entry, const Policy& policy);

/// Starts the fresh processes of the plan and writes the measurement, also after an interruption (measurement_files.h).
Measurement launch(const CasePlan& plan, const Caller& caller);

/// Whether `half` takes in the exact half of the case, or the timed one. A plain Google Benchmark program counts
/// nothing.
bool judges_exact(TierChoice half, const ManifestCase& entry);
bool judges_timed(TierChoice half);

/// <out>/<case>/<half>: where the files of one half of one case lie.
std::filesystem::path result_folder(const Project& project, const std::string& case_name, TierChoice half);

/// Turns what the launcher reports into progress of the whole experiment.
LaunchCallbacks callbacks_for(const Caller& caller);

/// The progress of an experiment that asks the launcher for one process at a time.
struct ProcessesSoFar {
  std::int64_t done = 0;
  std::int64_t planned = 0;
  std::optional<double> remaining_s = {};
};
LaunchCallbacks callbacks_for(const Caller& caller, const ProcessesSoFar& so_far);

}  // namespace stepgate
