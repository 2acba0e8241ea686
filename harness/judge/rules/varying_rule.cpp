#include "judge/rules/varying_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/range_rule.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

struct ValueRange {
  double low;
  double high;
};

ValueRange range_of(std::span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

std::string describe(const Metric& metric, const ValueRange& range) {
  if (range.low == range.high) return quantity_text(metric.unit, range.low);
  return fmt::format("{} to {}", quantity_text(metric.unit, range.low), quantity_text(metric.unit, range.high));
}

}  // namespace

double range_rule_chance(const Metric& metric, std::int64_t current, std::int64_t base) {
  const double one_sided = range_rule_false_alarm(current, base);
  return metric.direction == Direction::neither ? 2 * one_sided : one_sided;
}

void apply_varying_rule(const Metric& metric, const VaryingSides& sides, MetricVerdict& verdict) {
  const ValueRange current = range_of(sides.current);
  verdict.current = median(sides.current);
  const std::string now = fmt::format("{} in {} processes", describe(metric, current), sides.current.size());
  if (sides.base.empty()) {
    settle(verdict, Status::not_judged, ReasonCode::varying, fmt::format("varying: judged in A/B only; {}", now));
    return;
  }
  const ValueRange base = range_of(sides.base);
  verdict.baseline = median(sides.base);
  if (*verdict.baseline > 0) verdict.change = *verdict.current / *verdict.baseline - 1;
  const bool above = current.low > base.high;
  const bool below = current.high < base.low;
  const std::string both = fmt::format("{} in {} processes -> {}", describe(metric, base), sides.base.size(), now);
  if (!above && !below) {
    settle(verdict, Status::not_judged, ReasonCode::varying, fmt::format("varying: {}; the ranges overlap", both));
    return;
  }
  const double chance = range_rule_chance(metric, std::ssize(sides.current), std::ssize(sides.base));
  if (chance > sides.share) {
    settle(verdict, Status::inconclusive, ReasonCode::too_few_processes,
           fmt::format("varying: {}; the ranges lie apart, which happens by chance in {} of comparisons", both,
                       percent_text(chance)));
    return;
  }
  const bool better = metric.direction == Direction::lower_is_better && below;
  settle(verdict, better ? Status::improved : Status::regressed, ReasonCode::outside_range,
         fmt::format("varying: {}; each process lies {} all of the base", both, above ? "above" : "below"));
}

}  // namespace stepgate
