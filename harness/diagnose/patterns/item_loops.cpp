#include <fmt/format.h>

#include <algorithm>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/count_explained.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// Below it a number of calls says little.
constexpr double fewest_calls = 8;

/// A call of the user's code that computes: the loop's views and copies come with it.
bool is_loop_body(const OperatorSite& site) {
  return is_own_code(site) && site.parent.empty() && site.boundary != name_of(Boundary::optimizer) &&
         !moves_only(site.name);
}

bool same_place(const OperatorSite& a, const OperatorSite& b) { return a.place && a.place == b.place; }

/// The largest tensor that one call writes, in forward or for its gradient: of the same place, called as often.
std::string size_of_each(const ObservedWork& work, const OperatorSite& loop, const StepAmounts& amounts) {
  const ObservedTensor* largest = nullptr;
  const auto bytes = [](const ObservedTensor& tensor) { return element_count(tensor) * bytes_of_dtype(tensor.dtype); };
  for (const OperatorSite& site : work.sites) {
    if (&site != &loop && (!same_place(site, loop) || site.calls % loop.calls != 0)) continue;
    for (const ObservedTensor& tensor : site.outputs) {
      const bool stored = stored_elements(tensor) == element_count(tensor) && !moves_only(site.name);
      if (stored && (largest == nullptr || bytes(tensor) > bytes(*largest))) largest = &tensor;
    }
  }
  const std::string size = largest == nullptr ? "" : size_explained(*largest, amounts);
  return size.empty() ? "" : "; " + size + " each";
}

}  // namespace

std::vector<PatternMatch> find_item_loops(const ObservedWork& work) {
  const StepAmounts amounts = step_amounts(work);
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!is_loop_body(site)) continue;
    const double calls = calls_at_place(work, site);
    if (calls < fewest_calls) continue;
    const ExplainedCount explained = count_explained(calls, site.boundary, amounts);
    if (!explained.per_item) continue;
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("{} {} a step = {}{}", count_text(calls), site.name, explained.text,
                                   size_of_each(work, site, amounts))});
  }
  return matches;
}

}  // namespace stepgate
