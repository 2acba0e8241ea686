// The options of the commands that measure and judge: gate and ab.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/emulated_device_row.h"
#include "cli/options/groups/judging.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/pairs.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/repeated_options.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

struct JudgedMeasurement {
  ComparedPlaces places;
  std::vector<std::string> filters;
  TierChoice tier = TierChoice::all;
  std::optional<EmulatedDevice> device;
  bool seeks_hazards = false;         ///< gate alone
  std::filesystem::path calibration;  ///< likewise
  std::optional<std::int64_t> replicates;
  std::optional<std::int64_t> exact_replicates;
  Measuring measuring;
  std::string request_rate;  ///< a number, or "" as the case declares
  std::optional<double> session_gap_s;
  GuardedMachine machine;
  PairChoice pairs;
  PairLimits limits;
  Judging judging;
  ReportOutput output;
  bool quiet = false;
};
OptionRows rows_of(JudgedMeasurement& o, std::string_view command);

ProjectOptions project_options(const JudgedMeasurement& o);
MeasureOptions measure_options(const JudgedMeasurement& o);
PairOptions pair_options(const JudgedMeasurement& o);
RepeatedOptions repeated_options(const JudgedMeasurement& o);

}  // namespace stepgate
