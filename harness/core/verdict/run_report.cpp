#include "core/verdict/run_report.h"

#include <algorithm>
#include <array>

namespace stepgate {

int exit_status(Status status) {
  switch (status) {
    case Status::pass:
    case Status::improved:
      return 0;
    case Status::regressed:
      return 1;
    case Status::failed:
      return 3;
    case Status::inconclusive:
      return 4;
    case Status::no_baseline:
      return 5;
    case Status::not_judged:  // a status of metrics, never of a case
    case Status::skipped:
      return 77;
  }
  return 3;
}

int exit_status(const RunReport& report) {
  // A run that measured nothing must not pass.
  if (report.outcomes.empty() || !report.missing_cases.empty()) return 3;
  constexpr std::array precedence = {2, 3, 1, 4, 5, 0, 77};
  const auto rank = [&](int status) { return std::find(precedence.begin(), precedence.end(), status); };
  int worst = 77;
  for (const Outcome& outcome : report.outcomes) {
    const int status = exit_status(outcome.verdict.status);
    if (rank(status) < rank(worst)) worst = status;
  }
  return worst;
}

bool has_changed_tree(const RunReport& report) {
  const auto is_of_another = [](const MetricVerdict& metric) {
    return metric.gating && (metric.reason == incompatible_tree || metric.reason == incompatible_builds);
  };
  return std::any_of(report.outcomes.begin(), report.outcomes.end(), [&](const Outcome& outcome) {
    const auto& metrics = outcome.verdict.metrics;
    return std::any_of(metrics.begin(), metrics.end(), is_of_another);
  });
}

}  // namespace stepgate
