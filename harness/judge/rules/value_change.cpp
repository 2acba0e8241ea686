#include "judge/rules/value_change.h"

#include "core/text/number_format.h"

namespace stepgate {

double value_change(const Metric& metric, double worse) {
  return metric.direction == Direction::higher_is_better ? 1 / (1 + worse) - 1 : worse;
}

Interval value_change(const Metric& metric, const Interval& worse) {
  if (metric.direction != Direction::higher_is_better) return worse;
  return {value_change(metric, worse.upper), value_change(metric, worse.lower)};
}

std::string limit_text(const Metric& metric, double margin) { return change_text(value_change(metric, margin)); }

}  // namespace stepgate
