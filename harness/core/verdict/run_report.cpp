#include "core/verdict/run_report.h"

#include <algorithm>

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

Status suite_status(const RunReport& report) {
  // A run that measured nothing must not pass.
  if (report.outcomes.empty() || !report.missing_cases.empty()) return Status::failed;
  Status worst = report.limits && lacks_consent(*report.limits) ? Status::regressed : Status::not_judged;
  for (const Outcome& outcome : report.outcomes) worst = std::max(worst, outcome.verdict.status);
  return worst;
}

bool has_changed_tree(const RunReport& report) {
  const auto is_of_another = [](const MetricVerdict& metric) {
    return metric.gating && metric.reason.is(&ReasonRow::of_tree);
  };
  return std::any_of(report.outcomes.begin(), report.outcomes.end(), [&](const Outcome& outcome) {
    const auto& metrics = outcome.verdict.metrics;
    return std::any_of(metrics.begin(), metrics.end(), is_of_another);
  });
}

int exit_status(const RunReport& report) { return exit_status(suite_status(report)); }

}  // namespace stepgate
