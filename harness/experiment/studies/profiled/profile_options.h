// What a profile is asked for: how far it goes, and how much it proves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "experiment/host/quiet_host.h"
#include "experiment/plan/measure_options.h"

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
inline constexpr std::int64_t observing_processes = 2;  ///< of group profile, where nothing is to be proven
inline constexpr std::int64_t default_profile_processes = 4;
inline constexpr std::int64_t automatic_profile_processes = 2 * default_profile_processes;
inline constexpr std::int64_t most_profile_processes = 16;

/// Of those that run calls twice. Student's t over fewer is wide, and each takes as long as one with all experiments.
inline constexpr std::int64_t repeat_processes = 6;

struct ProfileOptions {
  std::string case_name;
  ProfilePhase phase = ProfilePhase::operators;
  Proving proving = Proving::automatic;
  std::string trace_schedule = "";                 ///< "skip=3,active=5"; "": no trace
  std::map<std::string, std::string> params = {};  ///< of the case, instead of their defaults
  MeasureOptions measure = {};                     ///< timed_replicates is the number of processes of group profile
  HostOptions host = {};
};

/// Processes of group profile that run first.
std::int64_t profile_processes_of(const ProfileOptions& options);
/// Those that run the calls of all costly places twice.
std::int64_t repeat_processes_of(const ProfileOptions& options);
/// Those that may follow them, with the places whose cost is open or told too widely.
std::int64_t further_repeat_processes_of(const ProfileOptions& options);
/// How often the experiments are looked at, at most.
std::size_t looks_of(const ProfileOptions& options);

}  // namespace stepgate
