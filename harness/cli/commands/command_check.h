// `stepgate check`: judges stored measurements.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/judging.h"
#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

struct CheckCommand {
  std::vector<std::string> arguments;  ///< measurement.json files
  std::filesystem::path build;
  std::filesystem::path out;
  std::filesystem::path baseline_root;
  std::filesystem::path policy_root;
  std::string runner_class = "local";
  std::optional<EmulatedDevice> device;  ///< judges what was measured on it; nothing of it needs to be built
  std::filesystem::path calibration;     ///< of that GPU; "" = none
  TierChoice tier = TierChoice::all;
  std::optional<double> session_gap_s;
  Judging judging;
  ReportOutput output;
};
OptionRows rows_of(CheckCommand& o);

/// The exit status.
int command_check(const CheckCommand& o);

}  // namespace stepgate
