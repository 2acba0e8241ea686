#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// As a module calls them: below them, the same layer may run as another kernel.
constexpr std::array<std::string_view, 7> layer_operators = {
    "aten::linear",           "aten::conv1d",           "aten::conv2d",          "aten::conv3d",
    "aten::conv_transpose1d", "aten::conv_transpose2d", "aten::conv_transpose3d"};

/// One more block of a network brings its normalisation along.
bool adds_layers(const std::vector<OperatorChange>& changes, const std::string& boundary) {
  return std::any_of(layer_operators.begin(), layer_operators.end(),
                     [&](std::string_view name) { return calls_more(changes, boundary, name) > 0; });
}

}  // namespace

std::vector<Finding> explain_batch_norm(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (input.verdict.status != Status::regressed) return findings;
  const auto changes = operator_difference(input);
  for (const OperatorChange& change : changes) {
    if (change.name != "aten::batch_norm" || change.difference() <= 0 || adds_layers(changes, change.boundary))
      continue;
    findings.push_back(
        {.code = FindingCode::batch_norm_added,
         .severity = Severity::cause,
         .message = fmt::format("{}: batch normalisation was added, {} aten::batch_norm per step", change.boundary,
                                difference_text(MetricUnit::count, change.difference())),
         .advice = "it reads and writes its input once more in forward and in backward, keeps it for backward, and "
                   "makes the samples of a batch depend on each other. If it is meant, accept the new baseline; a "
                   "layer that is only evaluated needs eval().",
         .metric = "operators_per_step",
         .boundary = change.boundary,
         .sources = sources_of(input, change.boundary, change.name)});
  }
  return findings;
}

}  // namespace stepgate
