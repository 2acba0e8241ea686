// `stepgate run`: measures, and judges nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

struct RunCommand {
  std::vector<std::string> arguments;
  MeasuredPlaces places;
  std::vector<std::string> filters;
  TierChoice tier = TierChoice::all;
  std::optional<EmulatedDevice> device;
  std::optional<std::int64_t> replicates;
  std::optional<std::int64_t> exact_replicates;
  Measuring measuring;
  std::string request_rate;  ///< a number, or "" as the case declares
  GuardedMachine machine;
  bool quiet = false;
};
OptionRows rows_of(RunCommand& o);

/// The exit status.
int command_run(const RunCommand& o);

}  // namespace stepgate
