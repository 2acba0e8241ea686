// Pairs on the log scale, signed so that positive is worse.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/metric.h"
#include "core/verdict/paired_values.h"

namespace stepgate {

struct PairLogs {
  std::vector<double> base;
  std::vector<double> head;
  std::vector<double> differences;  ///< head - base
};

/// `sign` times the logarithms. Absent if a value is not positive and finite, because it has no logarithm.
std::optional<PairLogs> pair_logs(std::span<const Pair> pairs, double sign);

/// -1 for a metric of which higher is better, else +1.
double worse_sign(const Metric& metric);

}  // namespace stepgate
