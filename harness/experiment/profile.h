// A profile of one case: the baseline, then the experiments that prove what limits its step, then its operators. Phases
// run in this order, and none runs after one that failed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/profile.h"
#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Up to which phase a profile goes. Later phases rest on the earlier ones, which always run.
enum class ProfilePhase { baseline, kind, component, operators };
std::optional<ProfilePhase> profile_phase_named(std::string_view name);

/// `off`: no experiments; `automatic`: what default_profile_processes can prove, and as many again, once, where they
/// would decide a gain worth having; `all`: further processes until nothing is undecided that they could decide, at
/// most most_profile_processes.
enum class Proving { off, automatic, all };
std::optional<Proving> proving_named(std::string_view name);

inline constexpr std::int64_t baseline_processes = 3;
inline constexpr std::int64_t default_profile_processes = 4;
inline constexpr std::int64_t automatic_profile_processes = 2 * default_profile_processes;
inline constexpr std::int64_t most_profile_processes = 16;

struct ProfileOptions {
  std::string case_name;
  ProfilePhase phase = ProfilePhase::operators;
  Proving proving = Proving::automatic;
  std::string trace_schedule = "";  ///< "skip=3,active=5"; "": no trace
  MeasureOptions measure = {};      ///< timed_replicates is the number of processes of group profile
  HostOptions host = {};
};

struct ProfileResult {
  Profile profile;  ///< without `files`
  /// Of the clean processes of group profile, for the stacks.
  std::vector<ObservedWork> observed = {};
  /// Of the first process, beside its record, one for each cycle of the schedule; empty where there is none.
  std::vector<std::filesystem::path> traces = {};
};

/// <out>/profile/<case>: profile.json, its other forms, and one folder per group of processes.
std::filesystem::path profile_folder(const Project& project, const std::string& case_name);

/// Throws Error(usage) for a plain Google Benchmark program, whose steps are not seen.
ManifestCase case_to_profile(const Project& project, const std::string& name);

/// Measures, writes each measurement.json as soon as its processes ended, and explains. A baseline that failed, was
/// discarded or is not steady ends it: Profile::stopped has the reason and the next command. A process of a later phase
/// that fails ends that phase; what the others measured is explained. After a signal likewise, marked as interrupted.
/// Throws as case_to_profile().
ProfileResult run_profile(const Project& project, const ProfileOptions& options, const Caller& caller);

}  // namespace stepgate
