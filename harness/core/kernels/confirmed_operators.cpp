#include "core/kernels/confirmed_operators.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

/// Sorted. tests/emulator/fidelity/fidelity_test.py fails where a trace no longer confirms one.
constexpr auto confirmed_operators = std::to_array<std::string_view>({
    "aten::_softmax",
    "aten::add",
    "aten::add_",
    "aten::addmm",
    "aten::all",
    "aten::arange",
    "aten::bucketize",
    "aten::cat",
    "aten::clamp_min",
    "aten::copy_",
    "aten::cos",
    "aten::div",
    "aten::div_",
    "aten::eq",
    "aten::fill_",
    "aten::gelu",
    "aten::gt",
    "aten::index_select",
    "aten::log",
    "aten::logical_and",
    "aten::mean",
    "aten::mul",
    "aten::mul_",
    "aten::nan_to_num",
    "aten::native_layer_norm",
    "aten::neg",
    "aten::pow",
    "aten::rsqrt",
    "aten::sigmoid",
    "aten::sigmoid_backward",
    "aten::silu",
    "aten::sin",
    "aten::sub",
    "aten::sub_",
    "aten::sum",
    "aten::tanh",
    "aten::tanh_backward",
    "aten::upsample_nearest1d",
    "aten::where",
});
static_assert(std::is_sorted(confirmed_operators.begin(), confirmed_operators.end()));

}  // namespace

bool is_confirmed_operator(std::string_view name) {
  return std::binary_search(confirmed_operators.begin(), confirmed_operators.end(), name);
}

}  // namespace stepgate
