// The part of a run record that a sweep keeps: the swept metric, and the metrics that explain it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace stepgate {

struct SweepReading {
  std::optional<double> value;           ///< value of the metric; absent if it was not measured
  std::string absent;                    ///< why the metric was not measured
  std::map<std::string, double> beside;  ///< data_wait_ratio (of a step), stall_ratio, supply_ratio; those measured
};

/// data_wait_ratio = data_wait_ns of the phase pass / step_time_ns of the e2e pass.
SweepReading sweep_reading(const RunRecord& record, const std::string& metric);

}  // namespace stepgate
