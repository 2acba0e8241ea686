// One case to measure: its program, its plan, its groups, and what its processes get.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/profile_parts.h"
#include "core/record/evidence.h"
#include "core/record/measurement.h"
#include "core/repeated_place.h"
#include "core/study/experiment.h"
#include "environment/gpu/gpu_offer.h"
#include "launch/emulated_device.h"
#include "launch/launch_guard.h"

namespace stepgate {

struct LaunchRequest {
  std::string case_name;
  std::filesystem::path program;
  std::string benchmark = "";  ///< the benchmark to run where `program` is a plain Google Benchmark program, else ""
  std::filesystem::path reference_program = {};  ///< perftest program for group reference; empty: `program`
  std::optional<Device> device = std::nullopt;   ///< absent takes the plan's
  Plan plan;
  std::vector<Group> groups;
  std::filesystem::path data_dir;               ///< empty: the program's own default
  std::filesystem::path out_dir;                ///< run records and what the processes printed go here
  TaintLimits taint_limits;                     ///< over the defaults of core/record/evidence_key.h
  std::int64_t fewest_clean = 3;                ///< a verdict needs so many clean timed processes
  std::set<std::string> passed_variables = {};  ///< names of the user's variables that processes get on top
  std::string runner_class;
  std::string commit;
  LaunchGuard guard = {};
  /// The GPUs of its processes, in the order of ranks. Empty on cuda: the first process tells what it found, and the
  /// next ones get that.
  std::vector<ChosenGpu> gpus = {};
  std::optional<ReplicateFailure> unavailable = {};  ///< why no process can be started on this machine
  std::optional<EmulatedGpu> emulated = {};          ///< its processes get this in place of a GPU: group exact alone
  /// True: an earlier measurement of this program in the same run has asked whether the case needs values
  /// (launch/emulated/value_need.h), which costs two processes.
  bool knows_need_of_values = false;
  bool seeks_hazards = false;  ///< with an emulated GPU: one process more (emulated/hazard_run.h)
  int turn_socket = -1;        ///< where two processes alternate (measure_alternating.h); -1: this one is alone
  /// True: the first timed process decides about the step counts of all (window_length.h). False: the plan's hold.
  bool may_lengthen_windows = false;
  ProfileParts profile_parts = ProfileParts::all;  ///< group profile
  std::vector<Experiment> experiments = {};        ///< group profile: these alone; empty: all that the step allows
  /// Steps of the chrome trace that process 0 of group profile writes beside its record
  /// (measure/profile/trace_schedule.h), e.g. "skip=3,active=5"; "": no trace.
  std::string trace_schedule = {};
  std::vector<RepeatedPlace> repeats = {};  ///< with ProfileParts::repeats
  std::filesystem::path source_root = {};   ///< source lines are named relative to it; empty: unknown
  std::string gpu_pci_bus_id;               ///< address of a GPU whose nearby CPUs are used; "" = none
};

}  // namespace stepgate
