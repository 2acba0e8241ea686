#include <fmt/format.h>

#include <string>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/memory/ledger_change.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// The metrics that the ledger splits by kind.
bool is_peak(const std::string& metric) { return metric == "peak_allocated_bytes" || metric == "peak_reserved_bytes"; }

std::string spent_on(const JudgedComparison& input, const std::string& metric) {
  if (!is_peak(metric) || !input.current.ledger) return "";
  const MemoryLedger& ledger = *input.current.ledger;
  return fmt::format("; at the peak, in {}: {}", ledger.boundary, largest_kinds(ledger));
}

Finding finding_on(const JudgedComparison& input, const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  const MetricUnit unit = metric == nullptr ? MetricUnit::none : metric->unit;
  const std::string current = verdict.current ? quantity_text(unit, *verdict.current) : "its value";
  return {.code = FindingCode::over_budget,
          .severity = Severity::cause,
          .message = fmt::format("{}: {} is over the {}{}", label_of(verdict.metric), current, verdict.limit,
                                 spent_on(input, verdict.metric)),
          .advice =
              fmt::format("a budget holds with any baseline: bring the value down, or raise budgets.{} in the suite's "
                          "policy.json in a change of its own.",
                          verdict.metric),
          .metric = verdict.metric};
}

}  // namespace

std::vector<Finding> explain_budgets(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.reason == ReasonCode::over_budget) findings.push_back(finding_on(input, verdict));
  }
  return findings;
}

}  // namespace stepgate
