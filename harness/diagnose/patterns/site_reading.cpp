#include "diagnose/patterns/site_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/boundary.h"
#include "core/text/operator_change.h"

namespace stepgate {
namespace {

struct DtypeBytes {
  std::string_view dtype;
  std::int64_t bytes;
  bool floating;
};

constexpr std::array dtypes = {
    DtypeBytes{"float64", 8, true},  DtypeBytes{"float32", 4, true},   DtypeBytes{"float16", 2, true},
    DtypeBytes{"bfloat16", 2, true}, DtypeBytes{"int64", 8, false},    DtypeBytes{"int32", 4, false},
    DtypeBytes{"int16", 2, false},   DtypeBytes{"int8", 1, false},     DtypeBytes{"uint8", 1, false},
    DtypeBytes{"bool", 1, false},    DtypeBytes{"complex64", 8, true}, DtypeBytes{"complex128", 16, true}};

const DtypeBytes* row_of(std::string_view dtype) {
  const auto at = std::find_if(dtypes.begin(), dtypes.end(), [&](const DtypeBytes& row) { return row.dtype == dtype; });
  return at == dtypes.end() ? nullptr : at;
}

}  // namespace

double calls_per_step(const ObservedWork& work, const OperatorSite& site) {
  return work.steps > 0 ? static_cast<double>(site.calls) / static_cast<double>(work.steps) : 0;
}

double calls_per_step(const ObservedWork& work, std::string_view boundary, std::string_view name) {
  double calls = 0;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary == boundary && site.name == name) calls += calls_per_step(work, site);
  }
  return calls;
}

double calls_at_place(const ObservedWork& work, const OperatorSite& site) {
  if (!work.by_shape || !site.place) return calls_per_step(work, site);
  double calls = 0;
  for (const OperatorSite& other : work.sites) {
    const bool alike = other.place == site.place && other.name == site.name && other.boundary == site.boundary &&
                       other.parent == site.parent && other.for_forward == site.for_forward;
    if (alike) calls += calls_per_step(work, other);
  }
  return calls;
}

std::int64_t whole(double calls) { return static_cast<std::int64_t>(std::llround(calls)); }

std::int64_t element_count(const ObservedTensor& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.sizes) count *= size;
  return count;
}

std::int64_t stored_elements(const ObservedTensor& tensor) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (i >= tensor.strides.size() || tensor.strides[i] != 0) count *= tensor.sizes[i];
  }
  return count;
}

std::int64_t bytes_of_dtype(std::string_view dtype) {
  const DtypeBytes* row = row_of(dtype);
  return row == nullptr ? 0 : row->bytes;
}

bool is_floating(std::string_view dtype) {
  const DtypeBytes* row = row_of(dtype);
  return row != nullptr && row->floating;
}

bool is_permuted(const ObservedTensor& tensor) {
  if (tensor.strides.size() != tensor.sizes.size()) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;  // stride, size
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] > 1) dimensions.emplace_back(tensor.strides[i], tensor.sizes[i]);
  }
  const bool row_major = std::is_sorted(dimensions.rbegin(), dimensions.rend());
  std::sort(dimensions.begin(), dimensions.end());
  std::int64_t dense = 1;
  for (const auto& [stride, size] : dimensions) {
    if (stride != dense) return false;
    dense *= size;
  }
  return !row_major;
}

std::string tensor_text(const ObservedTensor& tensor) {
  std::string sizes;
  for (const std::int64_t size : tensor.sizes) sizes += fmt::format("{}{}", sizes.empty() ? "" : " x ", size);
  return fmt::format("{} {}", sizes.empty() ? "a scalar" : sizes, tensor.dtype);
}

std::optional<bool> first_flag(const OperatorSite& site) {
  for (const std::string& argument : site.arguments) {
    if (argument == "True" || argument == "False") return argument == "True";
  }
  return std::nullopt;
}

bool moves_only(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {"aten::to",         "aten::_to_copy", "aten::copy_",
                                                     "aten::empty",      "aten::clone",    "aten::empty_like",
                                                     "aten::contiguous", "aten::detach",   "aten::empty_strided"};
  return is_view(name) || std::find(names.begin(), names.end(), name) != names.end();
}

bool is_own_code(const OperatorSite& site) { return !site.for_forward && site.boundary != name_of(Boundary::backward); }

}  // namespace stepgate
