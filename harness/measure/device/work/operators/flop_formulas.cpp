#include "measure/device/work/operators/flop_formulas.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

/// 1 for a dimension that a malformed call lacks: a formula never reads beyond its operands.
std::int64_t size_of(const std::vector<ObservedTensor>& tensors, std::size_t tensor, std::size_t dimension) {
  if (tensor >= tensors.size() || dimension >= tensors[tensor].sizes.size()) return 1;
  return tensors[tensor].sizes[dimension];
}

std::int64_t elements(const std::vector<ObservedTensor>& tensors, std::size_t tensor, std::size_t from_dimension = 0) {
  if (tensor >= tensors.size()) return 0;
  std::int64_t product = 1;
  const auto& sizes = tensors[tensor].sizes;
  for (std::size_t i = from_dimension; i < sizes.size(); ++i) product *= sizes[i];
  return product;
}

bool argument_is_true(const OperatorCall& call, std::size_t index) {
  return index < call.arguments.size() && call.arguments[index] == "True";
}

/// (..., M, K) times (K, N) or (..., K, N): all rows of the left operand times all columns of the right one.
std::int64_t product_of(const OperatorCall& call, std::size_t left) {
  const std::size_t dimensions = left + 1 < call.inputs.size() ? call.inputs[left + 1].sizes.size() : 0;
  return 2 * elements(call.inputs, left) * size_of(call.inputs, left + 1, std::max<std::size_t>(dimensions, 1) - 1);
}

std::int64_t product(const OperatorCall& call) { return product_of(call, 0); }
std::int64_t product_added(const OperatorCall& call) { return product_of(call, 1); }

/// Operand `matrix`, each element of which meets one element of a vector. Of two vectors: their dot product.
std::int64_t by_vector(const OperatorCall& call) { return 2 * elements(call.inputs, 0); }
std::int64_t by_vector_added(const OperatorCall& call) { return 2 * elements(call.inputs, 1); }
/// Each element of the first vector meets each of the second.
std::int64_t outer_added(const OperatorCall& call) { return 2 * elements(call.inputs, 1) * elements(call.inputs, 2); }
/// The weight is (out, in).
std::int64_t linear(const OperatorCall& call) { return 2 * elements(call.inputs, 0) * size_of(call.inputs, 1, 0); }

/// Each position of the smaller grid, which is the output, or the input of a transposed convolution, meets each element
/// of the weight (out, in / groups, kernel) once per sample.
std::int64_t convolved(std::int64_t samples, std::int64_t positions, std::int64_t weight_elements) {
  return 2 * samples * positions * weight_elements;
}

std::int64_t convolution_with(const OperatorCall& call, bool transposed) {
  const std::int64_t positions = transposed ? elements(call.inputs, 0, 2) : elements(call.outputs, 0, 2);
  return convolved(size_of(call.inputs, 0, 0), positions, elements(call.inputs, 1));
}

/// (input, weight, bias?, stride, padding, dilation, transposed, ...)
std::int64_t convolution(const OperatorCall& call) { return convolution_with(call, argument_is_true(call, 3)); }
std::int64_t plain_convolution(const OperatorCall& call) { return convolution_with(call, false); }
std::int64_t transposed_convolution(const OperatorCall& call) { return convolution_with(call, true); }

/// (grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
/// output_mask): once for the gradient of the input and once for that of the weight, as the mask wants them.
std::int64_t convolution_backward(const OperatorCall& call) {
  const std::int64_t positions = elements(call.inputs, argument_is_true(call, 4) ? 1 : 0, 2);
  const std::string_view mask = call.arguments.size() > 7 ? std::string_view(call.arguments[7]) : std::string_view();
  const std::int64_t wanted =
      (mask.starts_with("[True") ? 1 : 0) + (mask.find(", True,") != std::string_view::npos ? 1 : 0);
  return wanted * convolved(size_of(call.inputs, 0, 0), positions, elements(call.inputs, 2));
}

/// Query (batch, heads, length, width) at `query`, then key and value.
struct Attention {
  std::int64_t scores = 0;  ///< batch x heads x length of the query x length of the key
  std::int64_t width = 0;
  std::int64_t value_width = 0;
};

Attention attention_of(const OperatorCall& call, std::size_t query) {
  const auto& operands = call.inputs;
  return {.scores = size_of(operands, query, 0) * size_of(operands, query, 1) * size_of(operands, query, 2) *
                    size_of(operands, query + 1, 2),
          .width = size_of(operands, query, 3),
          .value_width = size_of(operands, query + 2, 3)};
}

/// Scores, and their product with the values.
std::int64_t attention(const OperatorCall& call) {
  const Attention of = attention_of(call, 0);
  return 2 * of.scores * (of.width + of.value_width);
}

/// Scores anew, then the gradients of scores, values, queries and keys.
std::int64_t attention_backward(const OperatorCall& call) {
  const Attention of = attention_of(call, 1);
  return 2 * of.scores * (3 * of.width + 2 * of.value_width);
}

constexpr std::array formulas = {
    FlopFormula{"aten::_addmm_activation", product_added},
    FlopFormula{"aten::_conv_depthwise2d", plain_convolution},
    FlopFormula{"aten::_convolution", convolution},
    FlopFormula{"aten::_scaled_dot_product_cudnn_attention", attention},
    FlopFormula{"aten::_scaled_dot_product_cudnn_attention_backward", attention_backward},
    FlopFormula{"aten::_scaled_dot_product_efficient_attention", attention},
    FlopFormula{"aten::_scaled_dot_product_efficient_attention_backward", attention_backward},
    FlopFormula{"aten::_scaled_dot_product_flash_attention", attention},
    FlopFormula{"aten::_scaled_dot_product_flash_attention_backward", attention_backward},
    FlopFormula{"aten::_scaled_dot_product_flash_attention_for_cpu", attention},
    FlopFormula{"aten::_scaled_dot_product_flash_attention_for_cpu_backward", attention_backward},
    FlopFormula{"aten::_scaled_dot_product_fused_attention_overrideable", attention},
    FlopFormula{"aten::_scaled_dot_product_fused_attention_overrideable_backward", attention_backward},
    FlopFormula{"aten::_scaled_mm", product},
    FlopFormula{"aten::_slow_conv2d_forward", plain_convolution},
    FlopFormula{"aten::addbmm", product_added},
    FlopFormula{"aten::addbmm_", product_added},
    FlopFormula{"aten::addmm", product_added},
    FlopFormula{"aten::addmm_", product_added},
    FlopFormula{"aten::addmv", by_vector_added},
    FlopFormula{"aten::addmv_", by_vector_added},
    FlopFormula{"aten::addr", outer_added},
    FlopFormula{"aten::addr_", outer_added},
    FlopFormula{"aten::baddbmm", product_added},
    FlopFormula{"aten::baddbmm_", product_added},
    FlopFormula{"aten::bmm", product},
    FlopFormula{"aten::conv_depthwise3d", plain_convolution},
    FlopFormula{"aten::convolution", convolution},
    FlopFormula{"aten::convolution_backward", convolution_backward},
    FlopFormula{"aten::convolution_overrideable", convolution},
    FlopFormula{"aten::cudnn_convolution", plain_convolution},
    FlopFormula{"aten::cudnn_convolution_transpose", transposed_convolution},
    FlopFormula{"aten::dot", by_vector},
    FlopFormula{"aten::mkldnn_convolution", plain_convolution},
    FlopFormula{"aten::mkldnn_linear", linear},
    FlopFormula{"aten::mm", product},
    FlopFormula{"aten::mv", by_vector},
    FlopFormula{"aten::slow_conv3d_forward", plain_convolution},
    FlopFormula{"aten::vdot", by_vector},
};

/// Beginnings of names.
constexpr std::string_view families_without_flops[] = {"aten::_adaptive_", "aten::_foreach_",       "aten::_fused_ada",
                                                       "aten::_fused_sgd", "aten::_upsample",       "aten::adaptive_",
                                                       "aten::arg",        "aten::avg_pool",        "aten::cum",
                                                       "aten::embedding",  "aten::empty",           "aten::index",
                                                       "aten::max_pool",   "aten::native_",         "aten::new_",
                                                       "aten::rand",       "aten::replication_pad", "aten::upsample"};

/// Without "aten::", a space before and after each.
constexpr std::string_view without_flops =
    " _amp_foreach_non_finite_check_and_unscale_ _amp_update_scale_ _batch_norm_no_update _batch_norm_with_update"
    " _ctc_loss _ctc_loss_backward _cudnn_ctc_loss _embedding_bag _embedding_bag_backward"
    " _embedding_bag_dense_backward _embedding_bag_forward_only _fused_dropout _fused_rms_norm"
    " _fused_rms_norm_backward _fused_sdp_choice _index_put_impl_ _local_scalar_dense _log_softmax"
    " _log_softmax_backward_data _masked_scale _masked_softmax _masked_softmax_backward _pin_memory _safe_softmax"
    " _softmax _softmax_backward_data _to_copy _unique2 _unsafe_view _weight_norm_interface"
    " _weight_norm_interface_backward all amax amin aminmax any arange batch_norm_backward bernoulli_"
    " binary_cross_entropy binary_cross_entropy_backward bincount bucketize cat clone col2im constant_pad_nd copy_"
    " count_nonzero cudnn_batch_norm cudnn_batch_norm_backward diag_embed elu_backward equal exponential_ eye"
    " fill_ flip gather gelu_backward glu glu_backward hardsigmoid_backward hardswish_backward hardtanh_backward"
    " histc huber_loss huber_loss_backward im2col is_pinned item kthvalue leaky_relu_backward linalg_vector_norm"
    " linspace log_sigmoid_backward log_sigmoid_forward logsumexp masked_fill masked_fill_ masked_scatter_"
    " masked_select max mean median min mse_loss mse_loss_backward multinomial nll_loss2d_backward"
    " nll_loss2d_forward nll_loss_backward nll_loss_forward nonzero norm normal_ prod repeat resize_ roll scatter"
    " scatter_ scatter_add scatter_add_ searchsorted sigmoid_backward silu_backward slice_backward smooth_l1_loss"
    " smooth_l1_loss_backward softplus_backward softshrink_backward sort stack std std_mean sum take tanh_backward"
    " tensor_split threshold_backward topk trace tril tril_indices triu triu_indices unfold unfold_backward"
    " uniform_ unique_dim var var_mean zero_ ";

}  // namespace

const FlopFormula* flop_formula(std::string_view operator_name) {
  const auto at = std::ranges::lower_bound(formulas, operator_name, {}, &FlopFormula::name);
  return at != formulas.end() && at->name == operator_name ? &*at : nullptr;
}

bool counts_no_flops(std::string_view operator_name) {
  constexpr std::string_view prefix = "aten::";
  if (operator_name.starts_with("c10d::")) return true;  // collectives move data
  if (!operator_name.starts_with(prefix)) return false;
  const auto in_family = [&](std::string_view family) { return operator_name.starts_with(family); };
  if (std::ranges::any_of(families_without_flops, in_family)) return true;
  const std::string name = " " + std::string(operator_name.substr(prefix.size())) + " ";
  return without_flops.find(name) != std::string_view::npos;
}

}  // namespace stepgate
