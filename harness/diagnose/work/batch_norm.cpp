#include <fmt/format.h>

#include "core/text/number_format.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {

std::vector<Finding> explain_batch_norm(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (input.verdict.status != Status::regressed) return findings;
  for (const OperatorChange& change : operator_difference(input)) {
    if (change.name != "aten::batch_norm" || change.difference() <= 0) continue;
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
