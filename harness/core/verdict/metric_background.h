// What a report shows beside a verdict: earlier values, and the line of the baseline's value. No verdict depends on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/metric.h"

namespace stepgate {

/// One metric of one case in natural units (ns, bytes, tokens/s).
struct MetricBackground {
  std::string metric;
  Scope scope = Scope::runner;     ///< which baseline file, as in MetricVerdict
  std::vector<double> sessions;    ///< median of each stored session, oldest first; empty if none is stored
  std::vector<double> now;         ///< one value per clean replicate of this run
  std::string baseline_path;       ///< relative to the repository if the file is inside it, "" if none
  std::int64_t baseline_line = 0;  ///< line of the metric in that file, counted from 1; 0 if it is not in it
};

}  // namespace stepgate
