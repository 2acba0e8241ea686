#include <fmt/format.h>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// The limit of PyTorch's pattern matcher: fewer are an index here and there.
constexpr double least_selects = 10;

/// Backward follows only what the model does.
bool may_have_a_backward(const OperatorSite& site) {
  const auto boundary = boundary_named(site.boundary);
  return !boundary || *boundary == Boundary::forward;
}

}  // namespace

std::vector<PatternMatch> find_indexing_loops(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.name != "aten::select" || !site.parent.empty() || !is_own_code(site) || site.inputs.empty()) continue;
    const double calls = calls_at_place(work, site);
    if (calls < least_selects || !may_have_a_backward(site)) continue;
    matches.push_back(
        {i, calls_per_step(work, site),
         fmt::format("aten::select takes {} apart in {} calls", tensor_text(site.inputs[0]), count_text(calls))});
  }
  return matches;
}

}  // namespace stepgate
