// `stepgate doctor --device`: the self-test of a GPU runner.
#pragma once

#include <filesystem>
#include <optional>

#include "experiment/plan/emulated_run.h"
#include "report/text/console_style.h"

namespace stepgate {

struct DeviceCheckAsked {
  std::filesystem::path program = {};  ///< "" = the one beside the launcher
  std::optional<double> timeout_s = {};
  std::optional<EmulatedDevice> emulated = {};  ///< in place of the GPU of this machine
  bool json = false;
};

/// Prints the lines. 0; 3 where one that verdicts rest on does not hold; 77 where there is no GPU.
int doctor_device(const DeviceCheckAsked& asked, const ConsoleStyle& style);

}  // namespace stepgate
