// `stepgate doctor CASE --device emulated:MODEL`: which mode each case needs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/host/quiet_host.h"
#include "experiment/plan/emulated_run.h"
#include "report/text/console_style.h"

namespace stepgate {

struct CaseModesAsked {
  std::vector<std::string> cases;  ///< names
  std::filesystem::path build = {};
  EmulatedDevice device;
  std::optional<double> timeout_s = {};  ///< of each process
  HostOptions host = {};
  bool json = false;
};

/// Prints a line a case. 0: counts are enough for all; 4: one needs values; 3: of one nothing can be told.
int doctor_cases(const CaseModesAsked& asked, const ConsoleStyle& style);

}  // namespace stepgate
