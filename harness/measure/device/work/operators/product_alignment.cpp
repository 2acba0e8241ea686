#include "measure/device/work/operators/product_alignment.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stepgate {
namespace {

/// What such operators multiply: inputs `left` and `left` + 1. The weight of a linear layer is (N, K).
struct ProductRow {
  std::string_view name;
  std::size_t left;
  bool transposed_right = false;
};

constexpr std::array product_rows = {ProductRow{"aten::mm", 0},
                                     ProductRow{"aten::bmm", 0},
                                     ProductRow{"aten::addmm", 1},
                                     ProductRow{"aten::addmm_", 1},
                                     ProductRow{"aten::_addmm_activation", 1},
                                     ProductRow{"aten::baddbmm", 1},
                                     ProductRow{"aten::baddbmm_", 1},
                                     ProductRow{"aten::mkldnn_linear", 0, true}};

/// 16 bytes; 0 for dtypes that no such kernel takes.
std::int64_t aligned_elements(std::string_view dtype, bool on_gpu) {
  if (dtype == "bfloat16" || dtype == "float16") return 8;
  return dtype == "float32" && on_gpu ? 4 : 0;
}

}  // namespace

bool is_misaligned_product(std::string_view operator_name, const OperatorCall& call, bool on_gpu) {
  const auto row = std::ranges::find(product_rows, operator_name, &ProductRow::name);
  if (row == product_rows.end() || call.inputs.size() < row->left + 2) return false;
  const ObservedTensor& left = call.inputs[row->left];
  const ObservedTensor& right = call.inputs[row->left + 1];
  const std::int64_t whole = aligned_elements(left.dtype, on_gpu);
  if (whole == 0 || left.sizes.empty() || right.sizes.size() < 2) return false;
  const std::int64_t columns = right.sizes[right.sizes.size() - (row->transposed_right ? 2 : 1)];
  return left.sizes.back() % whole != 0 || columns % whole != 0;
}

}  // namespace stepgate
