#include <fmt/format.h>

#include "diagnose/patterns/copy_reading.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// "aten::transpose" where the observer knows it; else what the strides say.
std::string origin_of(const ObservedTensor& tensor) {
  return tensor.from.empty() || !moves_only(tensor.from) ? "a permutation of its dimensions" : tensor.from;
}

}  // namespace

std::vector<PatternMatch> find_permuted_copies(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.name != "aten::clone" || !is_own_code(site) || site.inputs.empty() || site.outputs.empty()) continue;
    if (!is_permuted(site.inputs[0]) || is_permuted(site.outputs[0])) continue;
    // These copies are patterns of their own.
    if (is_matrix_product(site.parent) || is_computed_channels_last(site.inputs[0])) continue;
    const std::string caller = site.parent.empty() ? site.name : site.parent;
    matches.push_back(
        {i, calls_per_step(work, site),
         fmt::format("{} copies {} because of {}", caller, tensor_text(site.inputs[0]), origin_of(site.inputs[0]))});
  }
  return matches;
}

}  // namespace stepgate
