// One record of a training run's telemetry, as it stands in the files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepgate {

struct TelemetryValue {
  std::string name;
  double value = 0;
};

struct TelemetryRecord {
  std::int64_t step = 0;
  double unix_s = 0;                   ///< when the record began
  std::vector<TelemetryValue> values;  ///< in the order in which they were given
};

}  // namespace stepgate
