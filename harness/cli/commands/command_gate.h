// `stepgate gate`: measures and judges.
#pragma once

#include <string>
#include <vector>

#include "cli/options/groups/judged_measurement.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct GateCommand {
  std::vector<std::string> arguments;
  JudgedMeasurement run;
  std::string allow_loosening;  ///< "": nobody
};
OptionRows rows_of(GateCommand& o);

/// The exit status.
int command_gate(const GateCommand& o);

}  // namespace stepgate
