#include <fmt/format.h>

#include <algorithm>

#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// Elements of the operand without its copies along the sizes of the product.
bool is_inflated(const ObservedTensor& operand, const ObservedTensor& product) {
  return stored_elements(operand) < element_count(product);
}

/// Both operands are smaller than their product: it holds every pair, and the sum takes them together again.
bool multiplies_pairs(const OperatorSite& site) {
  if (site.name != "aten::mul" || !is_own_code(site) || site.inputs.size() < 2 || site.outputs.empty()) return false;
  const ObservedTensor& product = site.outputs[0];
  return element_count(site.inputs[0]) > 1 && element_count(site.inputs[1]) > 1 &&
         is_inflated(site.inputs[0], product) && is_inflated(site.inputs[1], product);
}

bool sums(const OperatorSite& sum, const OperatorSite& product) {
  return sum.name == "aten::sum" && is_own_code(sum) && sum.boundary == product.boundary && !sum.inputs.empty() &&
         sum.inputs[0].from == product.name && sum.inputs[0].sizes == product.outputs[0].sizes;
}

}  // namespace

std::vector<PatternMatch> find_expanded_products(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!multiplies_pairs(site)) continue;
    const bool summed =
        std::any_of(work.sites.begin(), work.sites.end(), [&](const OperatorSite& other) { return sums(other, site); });
    if (!summed) continue;
    const auto& larger = std::max(site.inputs[0], site.inputs[1],
                                  [](const auto& a, const auto& b) { return stored_elements(a) < stored_elements(b); });
    matches.push_back(
        {i, calls_per_step(work, site),
         fmt::format("aten::mul writes {}, {} times its larger operand, and aten::sum adds it up again",
                     tensor_text(site.outputs[0]),
                     element_count(site.outputs[0]) / std::max<std::int64_t>(1, stored_elements(larger)))});
  }
  return matches;
}

}  // namespace stepgate
