#include "diagnose/patterns/copy_reading.h"

#include <algorithm>
#include <array>

#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 10> matrix_products = {
    "aten::mm",      "aten::bmm",      "aten::addmm", "aten::addmm_", "aten::_addmm_activation",
    "aten::baddbmm", "aten::baddbmm_", "aten::mv",    "aten::addmv",  "aten::mkldnn_linear"};

constexpr std::array<std::string_view, 5> permutations = {"aten::permute", "aten::transpose", "aten::t",
                                                          "aten::movedim", "aten::swapaxes"};

template <typename Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_row_major(const ObservedTensor& tensor) {
  std::int64_t dense = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] == 1) continue;
    if (tensor.strides[i] != dense) return false;
    dense *= tensor.sizes[i];
  }
  return true;
}

/// Images x channels x rows x columns, with the channels of a pixel side by side.
bool is_channels_last(const ObservedTensor& tensor) {
  if (tensor.sizes.size() != 4 || is_row_major(tensor)) return false;
  const auto& sizes = tensor.sizes;
  const auto fits = [&](std::size_t i, std::int64_t stride) { return sizes[i] == 1 || tensor.strides[i] == stride; };
  return fits(1, 1) && fits(3, sizes[1]) && fits(2, sizes[1] * sizes[3]) && fits(0, sizes[1] * sizes[2] * sizes[3]);
}

}  // namespace

bool is_copy(const OperatorSite& site) {
  return site.name == "aten::copy_" && site.copied_bytes > 0 && site.inputs.size() >= 2;
}

std::string_view copy_kind(const OperatorSite& site) {
  const ObservedTensor& to = site.inputs[0];
  const ObservedTensor& from = site.inputs[1];
  if (to.dtype != from.dtype) return "dtype";
  if (stored_elements(from) < element_count(to)) return "broadcast";
  return layout_of(to) == layout_of(from) ? "plain" : "layout";
}

bool is_matrix_product(std::string_view operator_name) {
  return holds(matrix_products, operator_name) || operator_name.find("conv") != std::string_view::npos;
}

std::string product_around(const OperatorSite& copy) {
  const auto at = std::find_if(copy.callers.rbegin(), copy.callers.rend(), is_matrix_product);
  return at == copy.callers.rend() ? "" : *at;
}

std::string_view layout_of(const ObservedTensor& tensor) {
  const std::size_t dimensions = tensor.sizes.size();
  if (tensor.strides.size() != dimensions) return "gaps";
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (tensor.strides[i] == 0 && tensor.sizes[i] > 1) return "expanded";
  }
  if (is_row_major(tensor)) return "contiguous";
  if (is_channels_last(tensor)) return "channels_last";
  if (tensor.strides.back() == 1) return "strided rows";
  return dimensions >= 2 && tensor.strides[dimensions - 2] == 1 ? "transposed" : "gaps";
}

bool is_computed_channels_last(const ObservedTensor& tensor) {
  return is_channels_last(tensor) && !holds(permutations, tensor.from);
}

}  // namespace stepgate
