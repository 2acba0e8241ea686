#include "judge/interval/stored_estimate.h"

#include <algorithm>
#include <cmath>

#include "stats/summary.h"

namespace stepgate {

StoredEstimate stored_estimate(double current, std::span<const double> sessions, const Policy& policy) {
  StoredEstimate result;
  result.sessions = static_cast<std::int64_t>(sessions.size());
  result.estimate.theta = current - mean(sessions);
  const double own_weight = static_cast<double>(result.sessions) - 1;
  const double own = result.sessions > 1 ? own_weight * sample_variance(sessions) : 0;
  const double prior = policy.prior_weight * policy.prior_spread * policy.prior_spread;
  result.spread = std::max(timer_resolution, std::sqrt((prior + own) / (own_weight + policy.prior_weight)));
  result.estimate = with_sessions(result, result.sessions, policy);
  return result;
}

Estimate with_sessions(const StoredEstimate& stored, std::int64_t sessions, const Policy& policy) {
  const auto count = static_cast<double>(sessions);
  return {.theta = stored.estimate.theta,
          .standard_error = stored.spread * std::sqrt(1 + 1 / count),
          .degrees_of_freedom = count - 1 + policy.prior_weight};
}

}  // namespace stepgate
