// `stepgate profile`: what limits a step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/profile_table.h"
#include "cli/options/option_row.h"
#include "experiment/studies/profiled/profile_difference.h"
#include "experiment/studies/profiled/run_profile.h"

namespace stepgate {

struct ProfileCommand {
  std::vector<std::string> arguments;
  MeasuredPlaces places;
  std::filesystem::path base_build;      ///< "": one build is profiled
  std::optional<EmulatedDevice> device;  ///< counts only
  std::optional<std::int64_t> replicates;
  std::map<std::string, std::string> params;  ///< of the case
  Measuring measuring;
  GuardedMachine machine;
  std::optional<std::uint64_t> order_seed;
  ProfilePhase phase = ProfilePhase::operators;  ///< the last one
  Proving prove = Proving::automatic;
  std::string schedule = "skip=3,wait=0,warmup=2,active=5,repeat=1";  ///< steps of the trace, or "none"
  ProfileTable table;
  std::filesystem::path trace;  ///< a trace to account for instead of a case, "" = none
  StudyOutput output;
};
OptionRows rows_of(ProfileCommand& o);

/// Throws Error(usage) unless one case is named.
ProfileDifferenceOptions difference_options(const ProfileCommand& o);

/// The exit status.
int command_profile(const ProfileCommand& o);

}  // namespace stepgate
