#include "judge/interval/decision.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "stats/student_t.h"

namespace stepgate {
namespace {

/// The power of every reported detectable change (docs/design/statistics.md, "Detectable change").
constexpr double stated_power = 0.95;

bool certifies(const Estimate& estimate) {
  return std::isfinite(estimate.theta) && std::isfinite(estimate.standard_error) && estimate.standard_error > 0 &&
         estimate.degrees_of_freedom > 0;
}

Call call_for(const Estimate& estimate, const Margins& margins, const CriticalValues& critical) {
  const double ignore = std::log1p(margins.ignore);
  const double red = critical.red * estimate.standard_error;
  if (estimate.theta - red > ignore) return Call::regressed;
  if (estimate.theta + red < -ignore) return Call::improved;
  const double upper = estimate.theta + critical.pass * estimate.standard_error;
  return upper < std::log1p(margins.matter) ? Call::pass : Call::inconclusive;
}

}  // namespace

CriticalValueTable::CriticalValueTable(ErrorShares shares) : shares_(shares) {
  for (double share : {shares.red, shares.pass}) {
    if (!(share > 0 && share <= 0.5)) {
      throw Error(ErrorKind::usage, "error share " + std::to_string(share) + " is outside (0, 0.5]",
                  "set alpha and beta of the policy to values in (0, 0.5]; the default is 0.05");
    }
  }
}

CriticalValues CriticalValueTable::at(double degrees_of_freedom) {
  const auto known = critical_.find(degrees_of_freedom);
  if (known != critical_.end()) return known->second;
  const CriticalValues fresh{student_t_upper_quantile(shares_.red, degrees_of_freedom),
                             student_t_upper_quantile(shares_.pass, degrees_of_freedom)};
  return critical_.emplace(degrees_of_freedom, fresh).first->second;
}

double CriticalValueTable::detectable_noncentrality(double degrees_of_freedom) {
  const auto known = noncentrality_.find(degrees_of_freedom);
  if (known != noncentrality_.end()) return known->second;
  const OneSidedTest test{.level = shares_.red, .power = stated_power, .degrees_of_freedom = degrees_of_freedom};
  return noncentrality_.emplace(degrees_of_freedom, stepgate::detectable_noncentrality(test)).first->second;
}

Decision decide(const Estimate& estimate, const Margins& margins, const CriticalValues& critical) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!certifies(estimate)) return {Call::inconclusive, {-1, infinity}};
  const double lower = estimate.theta - critical.red * estimate.standard_error;
  const double upper = estimate.theta + critical.pass * estimate.standard_error;
  return {call_for(estimate, margins, critical), {std::expm1(lower), std::expm1(upper)}};
}

Decision decide(const Estimate& estimate, const Margins& margins, const ErrorShares& shares) {
  CriticalValueTable table(shares);
  const bool usable = estimate.degrees_of_freedom > 0;
  return decide(estimate, margins, usable ? table.at(estimate.degrees_of_freedom) : CriticalValues{});
}

double detectable_change(const Estimate& estimate, const Margins& margins, CriticalValueTable& table) {
  const double lambda = table.detectable_noncentrality(estimate.degrees_of_freedom);
  return std::expm1(std::log1p(margins.ignore) + lambda * estimate.standard_error);
}

}  // namespace stepgate
