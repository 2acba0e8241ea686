#include <fmt/format.h>

#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {

std::vector<Finding> explain_zeroed_gradients(const JudgedComparison& input) {
  if (input.verdict.status != Status::regressed) return {};
  const auto changes = operator_difference(input);
  const double set = calls_more(changes, "backward", "aten::detach");
  const double added = calls_more(changes, "backward", "aten::add_");
  if (set >= 0 || added <= 0) return {};
  for (const OperatorChange& change : changes) {
    if (change.name != "aten::zero_" || change.boundary == name_of(Boundary::backward) || change.difference() <= 0)
      continue;
    const auto gradients = whole_calls(change.difference());
    return {{.code = FindingCode::gradients_zeroed,
             .severity = Severity::cause,
             .message = fmt::format("{}: zero_grad(false) sets {} to zero in place, and backward adds to what it set "
                                    "before",
                                    change.boundary, gradients ? counted(*gradients, "gradient") : "gradients"),
             .advice = "call zero_grad() without false: it releases the gradients, so that backward neither fills nor "
                       "adds, and their memory is free between the steps.",
             .metric = "operators_per_step",
             .boundary = change.boundary,
             .sources = sources_of(input, change.boundary, change.name)}};
  }
  return {};
}

}  // namespace stepgate
