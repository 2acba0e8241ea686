#include "report/page/gate_case.h"

namespace stepgate {

PublishedCode published_code(const GatePageInput& input) {
  return {.repository_url = input.repository_url, .commit = input.report.commit};
}

bool passed_or_skipped(const Outcome& outcome) {
  const Status status = outcome.verdict.status;
  return status == Status::pass || status == Status::skipped;
}

const MetricVerdict* deciding_metric(const CaseVerdict& verdict) {
  for (const MetricVerdict& metric : verdict.metrics) {
    if (metric.gating && metric.status == verdict.status) return &metric;
  }
  return nullptr;
}

const Finding* first_cause(const Outcome& outcome) {
  for (const Finding& finding : outcome.findings) {
    if (finding.severity == Severity::cause) return &finding;
  }
  return nullptr;
}

}  // namespace stepgate
