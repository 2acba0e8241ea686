#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "diagnose/both_sides.h"
#include "diagnose/merge/merge_causes.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// Every red gets an explanation, even where no record says where it comes from.
Finding unexplained(const CaseVerdict& verdict) {
  const auto red = std::find_if(verdict.metrics.begin(), verdict.metrics.end(), [](const MetricVerdict& metric) {
    return metric.gating && metric.status == Status::regressed;
  });
  const bool known = red != verdict.metrics.end();
  const std::string what = known ? label_of(red->metric) : verdict.case_name;
  const std::string detail = known ? red->detail : verdict.detail;
  return {.code = FindingCode::unexplained,
          .severity = Severity::cause,
          .message = fmt::format("{}{}{}; no record of boundaries, operators or memory says where it comes from", what,
                                 detail.empty() ? " regressed" : ": ", detail),
          .advice = "compare what both commits recorded by operator and boundary: the key counts of measurement.json.",
          .metric = known ? red->metric : ""};
}

}  // namespace

std::vector<Finding> diagnose(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (Question question : questions) {
    for (Finding& finding : question(input)) findings.push_back(std::move(finding));
  }
  findings = merge_causes(input, std::move(findings));
  const bool has_cause = std::any_of(findings.begin(), findings.end(),
                                     [](const Finding& finding) { return finding.severity == Severity::cause; });
  if (input.verdict.status == Status::regressed && !has_cause) findings.push_back(unexplained(input.verdict));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

}  // namespace stepgate
