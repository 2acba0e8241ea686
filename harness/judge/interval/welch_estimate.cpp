#include "judge/interval/welch_estimate.h"

#include <algorithm>
#include <cmath>

#include "judge/interval/stored_estimate.h"
#include "stats/welch.h"

namespace stepgate {
namespace {

bool usable(std::span<const double> values) {
  return values.size() >= 2 &&
         std::all_of(values.begin(), values.end(), [](double each) { return std::isfinite(each); });
}

}  // namespace

Estimate welch_estimate(std::span<const double> base, std::span<const double> head) {
  if (!usable(base) || !usable(head)) return {};
  const WelchDifference welch = welch_difference(base, head);
  if (!(welch.degrees_of_freedom > 0)) return {.theta = welch.difference, .standard_error = 0, .degrees_of_freedom = 0};
  const double floor =
      timer_resolution * std::sqrt(1 / static_cast<double>(base.size()) + 1 / static_cast<double>(head.size()));
  return {.theta = welch.difference,
          .standard_error = std::max(floor, welch.standard_error),
          .degrees_of_freedom = welch.degrees_of_freedom};
}

}  // namespace stepgate
