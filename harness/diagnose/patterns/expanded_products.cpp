#include <fmt/format.h>

#include <algorithm>

#include "core/study/written_product.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {

std::vector<PatternMatch> find_expanded_products(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (const WrittenProduct& found : written_products(work)) {
    const OperatorSite& site = work.sites[found.product];
    const std::int64_t larger = std::max(found.left.elements(), found.right.elements());
    PatternMatch match{found.product, calls_per_step(work, site),
                       fmt::format("aten::mul writes {}, {} times its larger operand, and aten::sum adds it up again",
                                   tensor_text(site.outputs[0]), element_count(site.outputs[0]) / larger)};
    match.with = found.copies;
    match.with.push_back(found.sum);
    match.with.insert(match.with.end(), found.backward.begin(), found.backward.end());
    matches.push_back(std::move(match));
  }
  return matches;
}

}  // namespace stepgate
