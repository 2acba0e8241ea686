#include "judge/rules/bytes_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/range_rule.h"

namespace stepgate {
namespace {

struct Range {
  std::int64_t low;
  std::int64_t high;
  bool constant() const { return low == high; }
};

Range range_of(std::span<const std::int64_t> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

/// Every digit: "1 310 724 B", or "2 155 host instructions".
std::string value_text(const Metric& metric, std::int64_t value) {
  if (metric.unit == MetricUnit::bytes) return exact_bytes_text(value);
  return fmt::format("{} {}", count_text(static_cast<double>(value)), metric.label);
}

std::string describe(const Metric& metric, const Range& range) {
  if (range.constant()) return value_text(metric, range.low);
  return fmt::format("{} to {}", value_text(metric, range.low), value_text(metric, range.high));
}

/// Two values that agree.
struct ConstantSides {
  std::int64_t current;
  std::int64_t baseline;
  std::int64_t allowed;
};

void settle_constant(const Metric& metric, const ConstantSides& sides, MetricVerdict& verdict) {
  const auto [current, baseline, allowed] = sides;
  const std::string detail =
      current == baseline ? value_text(metric, current) + ", equal"
                          : fmt::format("{} -> {} ({})", value_text(metric, baseline), value_text(metric, current),
                                        difference_text(metric.unit, static_cast<double>(current - baseline)));
  if (current > baseline + allowed) {
    settle(verdict, Status::regressed, ReasonCode::above_limit, detail);
  } else if (current > baseline) {
    settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  } else if (current < baseline) {
    settle(verdict, Status::improved, ReasonCode::below_baseline, detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::equal, detail);
  }
}

bool range_rule_may_be_red(const BytesSides& sides, double share) {
  return sides.interleaved && range_rule_false_alarm(std::ssize(sides.current), std::ssize(sides.baseline)) <= share;
}

}  // namespace

std::int64_t allowed_increase(const BytesLimits& limits, std::int64_t baseline) {
  const double relative = limits.relative_tolerance * static_cast<double>(std::max<std::int64_t>(0, baseline));
  return std::max(limits.tolerance, static_cast<std::int64_t>(std::floor(relative)));
}

void apply_bytes_rule(const Metric& metric, const BytesSides& sides, const BytesLimits& limits,
                      MetricVerdict& verdict) {
  const Range current = range_of(sides.current);
  const Range baseline = range_of(sides.baseline);
  const std::int64_t allowed = allowed_increase(limits, baseline.high);
  verdict.baseline = static_cast<double>(baseline.high);
  verdict.current = static_cast<double>(current.high);
  if (baseline.high > 0) verdict.change = *verdict.current / *verdict.baseline - 1;
  verdict.limit = "+" + quantity_text(metric.unit, static_cast<double>(allowed));
  const std::string sentence = fmt::format("{} -> {}", describe(metric, baseline), describe(metric, current));
  if (is_from_zero(metric.reference) && baseline.high <= 0 && current.low > 0) {
    settle(verdict, Status::regressed, ReasonCode::leak,
           sentence + (metric.unit == MetricUnit::bytes ? " left allocated by each step" : " in each step"));
  } else if (current.constant() && baseline.constant()) {
    settle_constant(metric, {current.low, baseline.low, allowed}, verdict);
  } else if (current.high <= baseline.high + allowed) {
    settle(verdict, Status::pass, ReasonCode::within_limit, sentence);
  } else if (current.low > baseline.high + allowed && range_rule_may_be_red(sides, limits.share)) {
    settle(verdict, Status::regressed, ReasonCode::above_limit, sentence + ", each above the largest of the baseline");
  } else {
    settle(verdict, Status::inconclusive,
           metric.unit == MetricUnit::bytes ? ReasonCode::bytes_vary : ReasonCode::counts_vary,
           fmt::format("{}: {} vary from process to process, {}", sentence,
                       metric.unit == MetricUnit::bytes ? "bytes" : metric.label,
                       sides.interleaved ? "and the two sides overlap or have too few processes"
                                         : "which a stored baseline cannot decide"));
  }
}

BytesLimits limits_of(const Metric& metric, const Policy& policy, double share) {
  if (metric.margin > 0) return {.tolerance = 0, .relative_tolerance = metric.margin, .share = share};
  return {.tolerance = policy.bytes_tolerance, .relative_tolerance = policy.bytes_relative_tolerance, .share = share};
}

bool bytes_grew(const CaseValues& base, const CaseValues& head, const Policy& policy) {
  for (const auto& [name, values] : head.bytes) {
    const Metric* metric = find_metric(name);
    const auto before = base.bytes.find(name);
    if (metric == nullptr || !metric->gates || before == base.bytes.end()) continue;
    if (values.empty() || before->second.empty()) continue;
    const BytesLimits limits = limits_of(*metric, policy, 0);
    const std::int64_t most = range_of(before->second).high;
    const std::int64_t allowed = is_from_zero(metric->reference) && most <= 0 ? 0 : allowed_increase(limits, most);
    if (range_of(values).high > most + allowed) return true;
  }
  return false;
}

}  // namespace stepgate
