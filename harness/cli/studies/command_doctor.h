// `stepgate doctor`: what could reduce noise on this machine, whether its GPU is fit, or which mode of an emulated GPU
// cases need.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/table_style.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct DoctorCommand {
  std::vector<std::string> arguments;
  std::filesystem::path build;
  std::string runner_class = "local";
  std::optional<double> timeout_s;
  GuardChoice guard;
  std::filesystem::path state_folder;  ///< "" = /var/lib/stepgate
  ExaminedDevice device;               ///< a GPU instead of the host
  std::filesystem::path device_check;  ///< a program, "" = the one beside the launcher
  std::filesystem::path calibration;   ///< to write; "" = none
  std::filesystem::path trace;         ///< that it is made from
  bool json = false;
  DetailStyle style;
};
OptionRows rows_of(DoctorCommand& o);

/// The exit status.
int command_doctor(const DoctorCommand& o);

}  // namespace stepgate
