#include "judge/verdict/timed_half.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "judge/rules/boundary_rule.h"
#include "judge/rules/comparable.h"
#include "judge/rules/stored_rule.h"
#include "judge/rules/times_without_pairs.h"
#include "judge/verdict/following_metrics.h"
#include "judge/verdict/shared_rates.h"

namespace stepgate {
namespace {

std::vector<Metric> timed_metrics(const Comparison& input) {
  std::set<std::string_view> names;
  for (const auto& [name, values] : input.current.timed) names.insert(name);
  if (input.runner) {
    for (const Session& session : input.runner->sessions) {
      for (const auto& [name, values] : session.timed) names.insert(name);
    }
  }
  return with_gating_rates(input, metrics_named(names, Tier::timed));
}

MetricVerdict judge_gating(const Metric& metric, TimedContext& context) {
  if (auto unmeasured = unmeasured_rate(metric, context.input)) return *unmeasured;
  MetricVerdict verdict = judge_stored_sessions(metric, context);
  require_equal_work(metric, context.clusters, verdict);
  return verdict;
}

/// For two measurements: every timed metric of either one. If all processes were discarded, the step stays in the list
/// and becomes inconclusive.
std::vector<MetricVerdict> compare_without_pairs(const Comparison& input) {
  std::set<std::string_view> names;
  for (const CaseValues* side : {earlier_values(input), &input.current}) {
    for (const auto& [name, values] : side->timed) names.insert(name);
  }
  if (names.empty()) names.insert("step_time_ns");
  std::vector<MetricVerdict> verdicts;
  for (const Metric& metric : with_gating_rates(input, metrics_named(names, Tier::timed))) {
    auto unmeasured = unmeasured_rate(metric, input);
    verdicts.push_back(unmeasured ? *std::move(unmeasured) : compare_without_pairs(metric, input));
  }
  return verdicts;
}

}  // namespace

std::vector<MetricVerdict> judge_timed_half(const Comparison& input) {
  if (earlier_values(input) != nullptr) return compare_without_pairs(input);
  TimedContext context = timed_context(input);
  const std::vector<Session> sessions = input.runner ? sessions_with_rates(input) : std::vector<Session>{};
  if (!sessions.empty()) context.clusters = session_clusters(sessions, input.policy.session_gap_s);
  std::vector<MetricVerdict> verdicts;
  std::vector<Metric> boundaries;
  for (const Metric& metric : timed_metrics(input)) {
    if (is_tested_beside_red(metric.name)) {
      boundaries.push_back(metric);
    } else {
      verdicts.push_back(metric.gates ? judge_gating(metric, context) : untested(metric, context));
    }
  }
  leave_too_noisy_unjudged(context, verdicts);
  const bool red = std::any_of(verdicts.begin(), verdicts.end(), [](const MetricVerdict& verdict) {
    return verdict.gating && verdict.status == Status::regressed;
  });
  if (red) {
    for (MetricVerdict& verdict : test_boundaries(boundaries, context)) verdicts.push_back(std::move(verdict));
  } else {
    for (const Metric& metric : boundaries) verdicts.push_back(untested(metric, context));
  }
  return verdicts;
}

}  // namespace stepgate
