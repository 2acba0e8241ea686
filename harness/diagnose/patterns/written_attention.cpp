#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The call in the user's code; what it calls itself is left out.
bool is_softmax(const OperatorSite& site) {
  constexpr std::array<std::string_view, 2> names = {"aten::softmax", "aten::_softmax"};
  return is_own_code(site) && site.parent.empty() && is_one_of(site.name, names);
}

/// Scores of queries and keys are batches of matrices.
bool is_batch_of_matrices(const ObservedTensor& tensor) { return tensor.sizes.size() >= 3; }

/// The product of these probabilities with the values. Dropout and conversions may lie between.
bool multiplies(const OperatorSite& product, const OperatorSite& softmax) {
  constexpr std::array<std::string_view, 3> products = {"aten::matmul", "aten::bmm", "aten::einsum"};
  constexpr std::array<std::string_view, 4> between = {"aten::softmax", "aten::_softmax", "aten::dropout", ""};
  if (!is_own_code(product) || product.boundary != softmax.boundary || !is_one_of(product.name, products)) return false;
  return std::any_of(product.inputs.begin(), product.inputs.end(), [&](const ObservedTensor& factor) {
    return factor.sizes == softmax.outputs[0].sizes && (is_one_of(factor.from, between) || moves_only(factor.from));
  });
}

}  // namespace

std::vector<PatternMatch> find_written_attention(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!is_softmax(site) || site.outputs.empty() || !is_batch_of_matrices(site.outputs[0])) continue;
    const bool multiplied = std::any_of(work.sites.begin(), work.sites.end(),
                                        [&](const OperatorSite& other) { return multiplies(other, site); });
    if (!multiplied) continue;
    const ObservedTensor& scores = site.outputs[0];
    const auto bytes = static_cast<double>(element_count(scores) * bytes_of_dtype(scores.dtype));
    matches.push_back({i, calls_per_step(work, site),
                       fmt::format("attention is written out: {} of {}, {} a call that grow with the square of the "
                                   "length and are kept for backward",
                                   site.name, tensor_text(scores), bytes_text(bytes))});
  }
  return matches;
}

}  // namespace stepgate
