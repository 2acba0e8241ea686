// The options of this call that the commands which a report offers repeat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/pairs.h"
#include "cli/options/groups/places.h"

namespace stepgate {

/// An option that the call does not have is absent here, and no command repeats it.
struct RepeatedOptions {
  std::filesystem::path baseline_root = {};
  std::filesystem::path policy_root = {};
  std::filesystem::path data_dir = {};
  std::filesystem::path base_build = {};
  std::string runner_class = "local";
  Measuring measuring = {};
  std::string request_rate = {};
  std::optional<std::int64_t> replicates = {};
  std::optional<std::int64_t> exact_replicates = {};
  std::optional<double> session_gap_s = {};
  std::optional<std::int64_t> seeds = {};
  std::optional<std::int64_t> seed_steps = {};
  GuardMode guard = GuardMode::process;
  std::string knobs = {};
  bool seeks_hazards = false;                 ///< repeated by `gate` alone
  std::filesystem::path calibration = {};     ///< likewise
  std::optional<EmulatedDevice> device = {};  ///< of a command that measures nothing; one that measures has a project's
  PairChoice pairs = {};                      ///< the seed of the order is repeated by the call that drew it
};

RepeatedOptions repeated_options(const MeasuredPlaces& places, const Measuring& measuring);

}  // namespace stepgate
