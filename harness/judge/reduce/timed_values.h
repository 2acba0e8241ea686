// The timed metrics of one replicate: one number each, in natural units.
#pragma once

#include <map>
#include <string>

namespace stepgate {

/// Values by metric name, and why the others are missing.
struct TimedValues {
  std::map<std::string, double> values;
  std::map<std::string, std::string> absent;
};

}  // namespace stepgate
