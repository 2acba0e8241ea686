#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/text/number_format.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* flops_metric = "flops_per_step";
/// Own choice: what fits into two lines of a console.
constexpr std::size_t most_named_operators = 3;

/// All sites of one operator, over the counted steps.
struct LeftOut {
  std::string name;
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
};

std::vector<LeftOut> left_out(const ObservedWork& work) {
  std::map<std::string, LeftOut> by_name;
  for (const OperatorSite& site : work.sites) {
    if (site.has_formula || site.leaf_calls == 0) continue;
    LeftOut& found = by_name[site.name];
    found.name = site.name;
    found.calls += site.leaf_calls;
    found.bytes += site.bytes;
  }
  std::vector<LeftOut> found;
  for (auto& [name, each] : by_name) found.push_back(std::move(each));
  std::ranges::stable_sort(found, std::ranges::greater{}, &LeftOut::bytes);
  return found;
}

std::string names_text(const std::vector<LeftOut>& found, std::int64_t steps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), most_named_operators); ++i) {
    const double calls = static_cast<double>(found[i].calls) / static_cast<double>(steps);
    text += fmt::format("{}{} ({} a step)", i == 0 ? "" : ", ", found[i].name, count_text(calls));
  }
  if (found.size() > most_named_operators) text += fmt::format(" and {} more", found.size() - most_named_operators);
  return text;
}

}  // namespace

std::vector<Finding> note_unknown_flops(const JudgedComparison& input) {
  const WorkCounts& counts = input.current.counts;
  if (!counts.per_step.contains(flops_metric) || !counts.observed || counts.observed->steps == 0) return {};
  const std::vector<LeftOut> found = left_out(*counts.observed);
  if (found.empty()) return {};
  return {{.code = FindingCode::flops_without_formula,
           .severity = Severity::note,
           .message = "FLOPs leave out operators without a formula: " + names_text(found, counts.observed->steps),
           .advice = "their work may change without a change of FLOPs; bytes touched and step time still show it.",
           .metric = flops_metric}};
}

}  // namespace stepgate
