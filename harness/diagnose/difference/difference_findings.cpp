#include "diagnose/difference/difference_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "core/text/source_text.h"
#include "diagnose/difference/find_step_difference.h"

namespace stepgate {
namespace {

constexpr std::size_t most_causes = 5;

std::string place_text(const DifferenceRow& row) {
  const std::string at = row.at ? source_text(*row.at) : "";
  return at.empty() ? row.name : fmt::format("{} at {}", row.name, at);
}

std::string advice_on(const DifferenceRow& row) {
  if (!row.operands.empty()) return fmt::format("its tensors differ: {}", fmt::join(row.operands, "; "));
  switch (row.change) {
    case WorkChange::none:
      return "compare the memory layout of its operands, build flags and thread counts of the two builds";
    case WorkChange::added:
    case WorkChange::more:
      return "see whether the step needs this work";
    default:
      return "see its shapes, strides and dtypes: less work that takes longer runs less efficiently";
  }
}

Finding cause_of(const DifferenceRow& row, const StepDifference& difference, const std::string& metric) {
  Finding finding{.code = FindingCode::time_moved,
                  .severity = Severity::cause,
                  .message = fmt::format("{}: {} takes {} a step ({} of the step): {}", row.boundary, place_text(row),
                                         difference_text(MetricUnit::ns, row.difference_ns),
                                         share_text(row.difference_ns / difference.step_ns), row.says),
                  .advice = advice_on(row),
                  .metric = metric,
                  .boundary = row.boundary};
  if (row.at) finding.sources = {*row.at};
  return finding;
}

}  // namespace

std::vector<Finding> difference_findings(const StepDifference& difference, const std::string& metric) {
  std::vector<const DifferenceRow*> costly;
  for (const DifferenceRow& row : difference.rows) {
    if (row.difference_ns >= least_difference_share * difference.step_ns) costly.push_back(&row);
  }
  std::stable_sort(costly.begin(), costly.end(),
                   [](const DifferenceRow* a, const DifferenceRow* b) { return a->difference_ns > b->difference_ns; });
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < std::min(costly.size(), most_causes); ++i)
    findings.push_back(cause_of(*costly[i], difference, metric));
  std::string text = fmt::format("{} of observed processes: {}", counted(difference.pairs, "pair"), difference.says);
  for (const std::string& note : difference.notes) text += "; " + note;
  findings.push_back({.code = FindingCode::time_explained,
                      .severity = Severity::note,
                      .message = text,
                      .advice = difference.rows.empty() ? "" : "difference.json lists every row that differs",
                      .metric = metric});
  return findings;
}

}  // namespace stepgate
