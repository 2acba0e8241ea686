#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

bool takes_a_gradient(const OperatorSite& site) {
  return std::any_of(site.inputs.begin(), site.inputs.end(),
                     [](const ObservedTensor& tensor) { return tensor.from == "gradient"; });
}

/// Whether what the boundary sets to zero can be gradients. The observer tells, where it knows gradients at all; a
/// backward within the boundary fills other tensors, and sets gradients there.
bool may_zero_gradients(const JudgedComparison& input, const std::vector<OperatorChange>& changes,
                        const std::string& boundary) {
  if (calls_more(changes, boundary, "aten::detach") > 0) return false;
  const auto& observed = input.current.counts.observed;
  if (!observed || std::none_of(observed->sites.begin(), observed->sites.end(), takes_a_gradient)) return true;
  return std::any_of(observed->sites.begin(), observed->sites.end(), [&](const OperatorSite& site) {
    return site.boundary == boundary && site.name == "aten::zero_" && takes_a_gradient(site);
  });
}

}  // namespace

std::vector<Finding> explain_zeroed_gradients(const JudgedComparison& input) {
  if (input.verdict.status != Status::regressed) return {};
  const auto changes = operator_difference(input);
  const double set = calls_more(changes, "backward", "aten::detach");
  const double added = calls_more(changes, "backward", "aten::add_");
  if (set >= 0 || added <= 0) return {};
  for (const OperatorChange& change : changes) {
    if (change.name != "aten::zero_" || change.boundary == name_of(Boundary::backward) || change.difference() <= 0)
      continue;
    if (!may_zero_gradients(input, changes, change.boundary)) continue;
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
