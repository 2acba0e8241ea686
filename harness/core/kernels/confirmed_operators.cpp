#include "core/kernels/confirmed_operators.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

/// Sorted. tests/emulator/fidelity/fidelity_test.py fails where a trace no longer confirms one.
constexpr auto confirmed_operators = std::to_array<std::string_view>({
    "aten::_efficient_attention_forward",
    "aten::_log_softmax",
    "aten::_log_softmax_backward_data",
    "aten::_softmax",
    "aten::add",
    "aten::add_",
    "aten::addcdiv_",
    "aten::addcmul_",
    "aten::addmm",
    "aten::all",
    "aten::arange",
    "aten::bucketize",
    "aten::cat",
    "aten::clamp_max_",
    "aten::clamp_min",
    "aten::copy_",
    "aten::cos",
    "aten::div",
    "aten::div_",
    "aten::embedding_dense_backward",
    "aten::eq",
    "aten::fill_",
    "aten::gather",
    "aten::gelu",
    "aten::gelu_backward",
    "aten::gt",
    "aten::index_select",
    "aten::linalg_vector_norm",
    "aten::log",
    "aten::logical_and",
    "aten::mean",
    "aten::mul",
    "aten::mul_",
    "aten::nan_to_num",
    "aten::native_layer_norm",
    "aten::native_layer_norm_backward",
    "aten::neg",
    "aten::nll_loss_backward",
    "aten::nll_loss_forward",
    "aten::pow",
    "aten::reciprocal_",
    "aten::rsqrt",
    "aten::sigmoid",
    "aten::sigmoid_backward",
    "aten::silu",
    "aten::silu_backward",
    "aten::sin",
    "aten::sqrt",
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
