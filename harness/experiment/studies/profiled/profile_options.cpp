#include "experiment/studies/profiled/profile_options.h"

#include <algorithm>

namespace stepgate {

std::optional<ProfilePhase> profile_phase_named(std::string_view name) {
  if (name == "baseline") return ProfilePhase::baseline;
  if (name == "kind") return ProfilePhase::kind;
  if (name == "component") return ProfilePhase::component;
  return name == "operator" ? std::optional(ProfilePhase::operators) : std::nullopt;
}

std::optional<Proving> proving_named(std::string_view name) {
  if (name == "off") return Proving::off;
  if (name == "auto") return Proving::automatic;
  return name == "all" ? std::optional(Proving::all) : std::nullopt;
}

std::int64_t profile_processes_of(const ProfileOptions& options) {
  return options.measure.timed_replicates.value_or(options.proving == Proving::off ? observing_processes
                                                                                   : default_profile_processes);
}

std::int64_t repeat_processes_of(const ProfileOptions& options) {
  return options.measure.timed_replicates.value_or(repeat_processes);
}

std::int64_t further_repeat_processes_of(const ProfileOptions& options) {
  if (options.proving != Proving::all) return 0;
  return std::max<std::int64_t>(0, most_profile_processes - repeat_processes_of(options));
}

std::size_t looks_of(const ProfileOptions& options) {
  if (options.proving == Proving::off) return 1;
  const std::int64_t most = options.proving == Proving::all                ? most_profile_processes
                            : options.measure.timed_replicates.has_value() ? 0
                                                                           : automatic_profile_processes;
  const std::int64_t further = std::max<std::int64_t>(0, most - profile_processes_of(options));
  return 1 + static_cast<std::size_t>((further + default_profile_processes - 1) / default_profile_processes);
}

}  // namespace stepgate
