#include "diagnose/precision/dtype_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// A head with few classes stays below it; one layer of a model in float32 is above it.
constexpr double least_float32_share = 0.05;
constexpr std::string_view cast_operator = "aten::_to_copy";

bool is_low(const ObservedTensor& tensor) { return tensor.dtype == "bfloat16" || tensor.dtype == "float16"; }

bool has_dtype(const std::vector<ObservedTensor>& tensors, std::string_view dtype) {
  return !tensors.empty() && tensors.front().dtype == dtype && element_count(tensors.front()) > 1;
}

bool sums_many(std::string_view name) {
  constexpr std::array<std::string_view, 15> names = {"aten::_softmax",
                                                      "aten::_log_softmax",
                                                      "aten::sum",
                                                      "aten::mean",
                                                      "aten::cumsum",
                                                      "aten::prod",
                                                      "aten::norm",
                                                      "aten::var",
                                                      "aten::logsumexp",
                                                      "aten::linalg_vector_norm",
                                                      "aten::native_layer_norm",
                                                      "aten::native_group_norm",
                                                      "aten::native_batch_norm",
                                                      "aten::nll_loss_forward",
                                                      "aten::mse_loss"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_transposed_matrix(const ObservedTensor& tensor) {
  constexpr std::array<std::string_view, 3> views = {"aten::t", "aten::transpose", "aten::numpy_T"};
  return tensor.sizes.size() == 2 && tensor.dtype == "float32" &&
         std::find(views.begin(), views.end(), tensor.from) != views.end();
}

bool is_cast_of(const OperatorSite& site) {
  return site.name == cast_operator && is_own_code(site) && !site.inputs.empty() && !site.outputs.empty();
}

}  // namespace

ProductFlops product_flops(const ObservedWork& work) {
  ProductFlops found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.flops <= 0 || site.inputs.empty()) continue;
    const bool low = std::any_of(site.inputs.begin(), site.inputs.end(), is_low);
    if (!low && !has_dtype(site.inputs, "float32")) continue;
    (low ? found.low : found.float32) += static_cast<double>(site.flops);
    if (low) continue;
    const bool own = is_own_code(site);
    if (own) found.own_calls += calls_per_step(work, site);
    if (own == found.own ? site.flops <= found.most : found.own) continue;
    found.most = site.flops;
    found.own = own;
    found.site = i;
  }
  return found;
}

std::vector<PatternMatch> find_float16_reductions(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!is_own_code(site) || !sums_many(site.name) || !has_dtype(site.inputs, "float16")) continue;
    matches.push_back(
        {i, calls_per_step(work, site), fmt::format("{} sums over {}", site.name, tensor_text(site.inputs.front()))});
  }
  return matches;
}

std::vector<PatternMatch> find_float32_share(const ObservedWork& work) {
  const ProductFlops flops = product_flops(work);
  if (flops.low <= 0 || flops.float32 <= 0) return {};
  const double share = flops.float32 / (flops.low + flops.float32);
  if (share < least_float32_share) return {};
  const OperatorSite& site = work.sites[flops.site];
  return {
      {flops.site, calls_per_step(work, site),
       fmt::format("{} of the FLOPs of products and convolutions are in float32 beside others in low precision, most "
                   "of them in {} of {}",
                   share_text(share), site.name, tensor_text(site.inputs.front()))}};
}

std::vector<PatternMatch> find_recast_weights(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (!is_cast_of(site) || !is_transposed_matrix(site.inputs.front()) || !is_low(site.outputs.front())) continue;
    const double calls = calls_per_step(work, site);
    if (whole(calls) < 2) continue;
    matches.push_back({i, calls,
                       fmt::format("{} a step of transposed weights, such as {}", counted(whole(calls), "cast"),
                                   tensor_text(site.inputs.front()))});
  }
  return matches;
}

}  // namespace stepgate
