#include <algorithm>

#include "core/metric.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

bool is_open_time(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier == Tier::timed && verdict.gating &&
         verdict.reason == ReasonCode::no_baseline;
}

}  // namespace

std::vector<Finding> explain_times_without_baseline(const JudgedComparison& input) {
  const auto& metrics = input.verdict.metrics;
  const auto open = std::find_if(metrics.begin(), metrics.end(), is_open_time);
  if (open == metrics.end()) return {};
  return {{.code = FindingCode::times_without_baseline,
           .severity = Severity::note,
           .message = "no session of these times is recorded; a second build decides them today",
           .advice = "build the commit where this branch began, and compare: stepgate gate CASE --base-build DIR (in a "
                     "checkout of stepgate, ci/perf --against main does both). Or record five sessions, half an hour "
                     "apart, each with a gate and baseline accept.",
           .metric = open->metric}};
}

}  // namespace stepgate
