#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

bool backward_does_more(const std::vector<OperatorChange>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const OperatorChange& change) {
    return change.boundary == name_of(Boundary::backward) && change.difference() > 0;
  });
}

/// A counter of growth that is red: memory of tensors, or the host memory of the graph's nodes.
const Metric* red_growth(const JudgedComparison& input) {
  for (const Metric& metric : metric_catalogue()) {
    const bool growth = metric.name == "leak_bytes_per_step" || metric.over_steps == OverSteps::growth;
    if (growth && is_red(input, metric.name)) return &metric;
  }
  return nullptr;
}

}  // namespace

std::vector<Finding> explain_lost_detach(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (input.verdict.status != Status::regressed) return findings;
  const auto changes = operator_difference(input);
  const Metric* growth = red_growth(input);
  if (growth == nullptr && !backward_does_more(changes)) return findings;
  for (const OperatorChange& change : changes) {
    if (change.name != "aten::detach" || change.boundary == name_of(Boundary::backward) || change.difference() >= 0)
      continue;
    const std::string calls = count_text(-change.difference());
    findings.push_back(
        {.code = FindingCode::detach_lost,
         .severity = Severity::cause,
         .message = fmt::format("{}: {} detach() less per step, and {}", change.boundary, calls,
                                growth != nullptr ? "memory grows with the run: the graphs of past steps stay alive"
                                                  : "backward does more: it runs through what was cut off before"),
         .advice = "write .detach() where the tensor leaves the graph: a target, a state for the next step, or a value "
                   "for the log.",
         .metric = growth != nullptr ? std::string(growth->name) : "operators_per_step",
         .boundary = change.boundary,
         .sources = sources_of_less(input, change.boundary, change.name)});
  }
  return findings;
}

}  // namespace stepgate
