#include "judge/interval/stored_estimate.h"

#include <algorithm>
#include <cmath>

#include "stats/summary.h"

namespace stepgate {

namespace {

/// The weighted mean of the prior's variance and that of the sessions.
double shrunk_spread(double own_variance, double sessions, const Policy& policy) {
  const double own = (sessions - 1) * own_variance;
  const double prior = policy.prior_weight * policy.prior_spread * policy.prior_spread;
  return std::max(timer_resolution, std::sqrt((prior + own) / (sessions - 1 + policy.prior_weight)));
}

}  // namespace

StoredEstimate stored_estimate(double current, std::span<const double> sessions, const Policy& policy) {
  StoredEstimate result;
  result.sessions = static_cast<std::int64_t>(sessions.size());
  result.estimate.theta = current - mean(sessions);
  result.own_variance = result.sessions > 1 ? sample_variance(sessions) : 0;
  result.spread = shrunk_spread(result.own_variance, static_cast<double>(result.sessions), policy);
  result.estimate = with_sessions(result, result.sessions, policy);
  return result;
}

Estimate with_sessions(const StoredEstimate& stored, std::int64_t sessions, const Policy& policy) {
  const auto count = static_cast<double>(sessions);
  return {.theta = stored.estimate.theta,
          .standard_error = shrunk_spread(stored.own_variance, count, policy) * std::sqrt(1 + 1 / count),
          .degrees_of_freedom = count - 1 + policy.prior_weight};
}

}  // namespace stepgate
