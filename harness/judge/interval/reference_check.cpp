#include "judge/interval/reference_check.h"

#include <cmath>
#include <string>

#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr const char* reference_case_metric = "reference_step_ns";
/// Two-sided, at 5 % (docs/design/verdicts.md, "Reference case").
constexpr double reference_level = 0.05;
/// Standard deviation of (change of a case) / (change of the reference case) around 1 when only the machine changes: an
/// assumption that the lab holds against shares from 70 to 130 % (docs/decisions/0030).
constexpr double machine_share_spread = 0.3;

std::optional<double> log_mean_of(const std::map<std::string, std::vector<double>>& timed, std::string_view metric) {
  const auto at = timed.find(std::string(metric));
  return at == timed.end() ? std::nullopt : log_mean(at->second);
}

/// ln(metric) and ln(reference) of one session or of the current run.
struct LogPair {
  double metric = 0;
  double reference = 0;
};

std::optional<LogPair> log_pair(const std::map<std::string, std::vector<double>>& timed, std::string_view metric) {
  const auto own = log_mean_of(timed, metric);
  const auto reference = log_mean_of(timed, reference_case_metric);
  if (!own || !reference) return std::nullopt;
  return LogPair{*own, *reference};
}

/// The means over each cluster's sessions that have both.
std::vector<LogPair> stored_pairs(const Metric& metric, const ReferenceSides& sides) {
  std::vector<LogPair> result;
  for (const SessionCluster& cluster : sides.clusters) {
    LogPair sum;
    double count = 0;
    for (const Session* session : cluster) {
      const auto pair = log_pair(session->timed, metric.name);
      if (!pair) continue;
      sum.metric += pair->metric;
      sum.reference += pair->reference;
      ++count;
    }
    if (count > 0) result.push_back({sum.metric / count, sum.reference / count});
  }
  return result;
}

std::vector<double> references_of(const std::vector<LogPair>& pairs) {
  std::vector<double> result;
  for (const LogPair& pair : pairs) result.push_back(pair.reference);
  return result;
}

}  // namespace

ReferenceCheck check_reference(const Metric& metric, const ReferenceSides& sides) {
  const auto current = log_mean_of(sides.current.timed, reference_case_metric);
  const std::vector<double> sessions = references_of(stored_pairs(metric, sides));
  if (!current || sessions.empty()) return {};

  const Estimate estimate = stored_estimate(*current, sessions, sides.policy).estimate;
  const double critical = student_t_upper_quantile(reference_level / 2, estimate.degrees_of_freedom);
  const double reach = critical * estimate.standard_error;
  const bool moved = std::abs(estimate.theta) > reach;
  return {.outcome = moved ? ReferenceCheck::Outcome::moved : ReferenceCheck::Outcome::still,
          .change = std::expm1(estimate.theta),
          .tolerance = std::expm1(reach)};
}

Estimate RelativeChange::with(std::int64_t sessions) const {
  Estimate result = with_sessions(stored, sessions, policy);
  result.standard_error = std::hypot(result.standard_error, machine_share_spread * machine);
  return result;
}

Estimate RelativeChange::estimate() const { return with(stored.sessions); }

std::optional<RelativeChange> change_over_reference(const Metric& metric, double metric_prior,
                                                    const ReferenceSides& sides) {
  const auto current = log_pair(sides.current.timed, metric.name);
  const std::vector<LogPair> pairs = stored_pairs(metric, sides);
  if (!current || pairs.empty()) return std::nullopt;

  const double sign = metric.direction == Direction::higher_is_better ? -1 : 1;
  const auto over_reference = [&](const LogPair& pair) { return sign * pair.metric - pair.reference; };
  std::vector<double> sessions;
  for (const LogPair& pair : pairs) sessions.push_back(over_reference(pair));
  RelativeChange result{
      .stored = {}, .machine = current->reference - mean(references_of(pairs)), .policy = sides.policy};
  result.policy.prior_spread = std::hypot(metric_prior, sides.policy.prior_spread);
  result.stored = stored_estimate(over_reference(*current), sessions, result.policy);
  return result;
}

}  // namespace stepgate
