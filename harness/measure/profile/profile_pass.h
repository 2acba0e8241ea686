// The pass of group profile: observed steps, blocks under experiments, peaks of the machine, operators replayed, and
// last a chrome trace. Nothing of it runs in a process whose values are compared with a baseline.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/profile_parts.h"
#include "core/record/profile_run.h"
#include "core/repeated_place.h"
#include "core/study/experiment.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/trace_schedule.h"
#include "measure/step/torch_step.h"

namespace stepgate {

/// What the command line asks of a process of group profile.
struct ProfileChoice {
  ProfileParts parts = ProfileParts::all;
  std::filesystem::path trace = {};  ///< empty: no trace
  TraceSchedule schedule = {};
  bool writes_trace = true;                  ///< false: another rank does, and this one runs the same steps
  std::vector<Experiment> experiments = {};  ///< these alone; empty: all that the step allows
  std::vector<RepeatedPlace> repeats = {};   ///< with ProfileParts::repeats
  std::uint64_t order_seed = 0;  ///< for the order of the blocks: equal on all ranks, another one in each process
};

struct ProfileRequest {
  TimedRun& run;        ///< warm
  TensorStep& step;     ///< the step that `run` drives
  TorchStep* workload;  ///< the same where it is a workload's; nullptr: a loop of the user's own
  torch::Device device;
  std::int64_t ranks = 1;
  ProfileChoice choice = {};
};

/// Leaves the step as it found it, but for the steps of training that it ran. BatchNorm's running statistics are not
/// put back after an experiment.
ProfileRun run_profile(const ProfileRequest& request);

}  // namespace stepgate
