#include "judge/rules/two_groups.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "judge/interval/welch_estimate.h"
#include "judge/rules/number_text.h"

namespace stepgate {
namespace {

/// Signed so that larger is worse; what has no logarithm becomes a NaN, which no estimate certifies.
std::vector<double> logs(const CaseValues& values, const Metric& metric) {
  const auto at = values.timed.find(std::string(metric.name));
  if (at == values.timed.end()) return {};
  const double sign = metric.direction == Direction::higher_is_better ? -1 : 1;
  std::vector<double> result;
  for (double value : at->second) result.push_back(sign * std::log(value > 0 ? value : std::nan("")));
  return result;
}

const char* meaning(Call call) {
  switch (call) {
    case Call::regressed:
      return "worse, by the code or by a machine that moved in between";
    case Call::improved:
      return "better, by the code or by a machine that moved in between";
    case Call::pass:
      return "no change that matters, unless the machine moved against it";
    case Call::inconclusive:
      break;
  }
  return "too few, or too unlike each other";
}

}  // namespace

std::string describe_two_groups(const Metric& metric, const CaseValues& base, TimedContext& context) {
  const Estimate estimate = welch_estimate(logs(base, metric), logs(context.input.current, metric));
  if (!(estimate.degrees_of_freedom > 0)) return "";
  const Margins& margins = margins_of(context.input.policy, metric.name);
  const Decision decision = decide(estimate, margins, context.table.at(estimate.degrees_of_freedom));
  return fmt::format("the processes alone say {} {}: {}", percent(std::expm1(estimate.theta)),
                     bounds(decision.interval), meaning(decision.call));
}

}  // namespace stepgate
