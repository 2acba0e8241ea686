// What a sweep keeps of one run record: the swept metric, and what explains it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace stepgate {

struct SweepReading {
  std::optional<double> value;           ///< of the metric; absent where it was not measured
  std::string absent;                    ///< why, where it was not
  std::map<std::string, double> beside;  ///< data_wait_ratio (of a step), stall_ratio, supply_ratio; those measured
};

/// data_wait_ratio = data_wait_ns of the phase pass / step_time_ns of the e2e pass.
SweepReading sweep_reading(const RunRecord& record, const std::string& metric);

}  // namespace stepgate
