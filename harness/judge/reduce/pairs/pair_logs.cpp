#include "judge/reduce/pairs/pair_logs.h"

#include <cmath>

namespace stepgate {

std::optional<PairLogs> pair_logs(std::span<const Pair> pairs, double sign) {
  PairLogs logs;
  for (const Pair& pair : pairs) {
    for (double value : {pair.base, pair.head}) {
      if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
    }
    logs.base.push_back(sign * std::log(pair.base));
    logs.head.push_back(sign * std::log(pair.head));
    logs.differences.push_back(logs.head.back() - logs.base.back());
  }
  return logs;
}

double worse_sign(const Metric& metric) { return metric.direction == Direction::higher_is_better ? -1 : 1; }

}  // namespace stepgate
