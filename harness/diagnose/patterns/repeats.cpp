#include <fmt/format.h>

#include <algorithm>

#include "core/study/written_product.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// Every dimension that grows has size 1, or is new in front.
bool could_expand(const ObservedTensor& from, const ObservedTensor& to) {
  if (to.sizes.size() < from.sizes.size() || element_count(to) <= element_count(from)) return false;
  const std::size_t new_in_front = to.sizes.size() - from.sizes.size();
  for (std::size_t i = 0; i < from.sizes.size(); ++i) {
    if (from.sizes[i] != 1 && from.sizes[i] != to.sizes[new_in_front + i]) return false;
  }
  return true;
}

}  // namespace

std::vector<PatternMatch> find_repeats(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  const auto products = written_products(work);
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    // A matrix product in their place takes these away: one fault is one finding.
    const bool feeds_product = std::ranges::any_of(products, [i](const WrittenProduct& product) {
      return std::ranges::find(product.copies, i) != product.copies.end();
    });
    if (feeds_product) continue;
    if (site.name != "aten::repeat" || !is_own_code(site) || site.inputs.empty() || site.outputs.empty()) continue;
    if (!could_expand(site.inputs[0], site.outputs[0])) continue;
    matches.push_back(
        {i, calls_per_step(work, site),
         fmt::format("aten::repeat copies {} to {}", tensor_text(site.inputs[0]), tensor_text(site.outputs[0]))});
  }
  return matches;
}

}  // namespace stepgate
