#include "diagnose/patterns/pattern.h"

#include <algorithm>
#include <array>

#include "diagnose/patterns/find_patterns.h"

namespace stepgate {
namespace {

constexpr std::array patterns = {
    Pattern{.code = FindingCode::float64_work,
            .name = "work in float64",
            .advice =
                "one float64 operand makes everything behind it float64, at half the speed on a CPU and far less on "
                "a GPU: give that tensor the dtype of the others where it is made.",
            .find = find_float64_work,
            .won_ns = half_of_float64_ns},
    Pattern{.code = FindingCode::calls_per_item,
            .name = "one call per sample or token",
            .advice = "batch it: give the operator all samples or tokens in one call, and mask what does not count.",
            .find = find_item_loops},
    Pattern{.code = FindingCode::indexing_loop,
            .name = "a loop over select()",
            .advice = "where a gradient flows, backward of each select() fills a whole tensor with zeros: work on the "
                      "whole tensor, or take it apart once with unbind().",
            .find = find_indexing_loops},
    Pattern{.code = FindingCode::expanded_product,
            .name = "expanded, multiplied and summed",
            .advice = "this is a matrix product that is written out: matmul(), bmm() or einsum() give it without the "
                      "large product in between.",
            .find = find_expanded_products},
    Pattern{.code = FindingCode::attention_written_out,
            .name = "attention that is written out",
            .advice = "torch::scaled_dot_product_attention() computes the same without keeping the scores, so memory "
                      "grows with the length and not with its square (docs/activation_memory.md).",
            .find = find_written_attention},
    Pattern{.code = FindingCode::repeat_for_expand,
            .name = "repeat() where expand() would do",
            .advice = "expand() gives the same values as a view, without the copies; repeat() is needed only before "
                      "writing in place.",
            .find = find_repeats},
    Pattern{.code = FindingCode::copy_after_permute,
            .name = "a copy after a permutation",
            .advice =
                "let the next operator take the layout as it is (reshape(), matmul() and norms do), permute where "
                "the tensor is small, or make it in that layout.",
            .find = find_permuted_copies},
    Pattern{.code = FindingCode::channels_last_lost,
            .name = "channels_last is lost",
            .advice = "keep one layout through the whole net: give weights channels_last too, and pool to 1 x 1 before "
                      "flatten(), where both layouts are one.",
            .find = find_lost_channels_last},
    Pattern{.code = FindingCode::copy_in_product,
            .name = "a hidden copy inside a matrix product",
            .advice = "the kernel takes matrices whose rows or columns lie together: slice so that they do, make the "
                      "operand contiguous once where it is used often, and sum() or expand() after the product.",
            .find = find_copies_in_products},
    Pattern{.code = FindingCode::cast_round_trip,
            .name = "cast down and back",
            .advice = "use the tensor as it was before the first cast: the way back only loses digits.",
            .find = find_cast_round_trips},
    Pattern{.code = FindingCode::conv_bias_before_norm,
            .name = "a convolution bias before batch normalisation",
            .advice = "normalisation subtracts the mean and with it the bias: build the convolution with bias(false), "
                      "which saves the tensor, its gradient and its state in the optimizer.",
            .find = find_convolution_biases},
    Pattern{.code = FindingCode::host_made_tensor,
            .name = "a tensor filled on the host, then copied",
            .advice = "make it where it is used: give torch::zeros(), ones() or full() the device.",
            .gpu_only = true,
            .find = find_host_made_tensors},
    Pattern{
        .code = FindingCode::gradients_zeroed,
        .name = "gradients zeroed instead of dropped",
        .advice = "call zero_grad() without false: it releases the gradients, so that backward neither fills nor adds.",
        .find = find_zeroed_gradients},
    Pattern{.code = FindingCode::optimizer_rebuilt,
            .name = "optimizer state made anew in each step",
            .advice =
                "make the optimizer once, before the loop, and only call step() and zero_grad() in it: a new one has "
                "lost its moments, so it also learns differently.",
            .find = find_rebuilt_optimizer},
    Pattern{.code = FindingCode::single_tensor_optimizer,
            .name = "an optimizer that takes its tensors one by one",
            .advice = "update all tensors in one call: at::_fused_adamw_(), _fused_adam_(), _fused_sgd_() or "
                      "_fused_adagrad_() do on CPU and CUDA what the optimizers of torch::optim do tensor by tensor.",
            .find = find_single_tensor_optimizer},
    Pattern{.code = FindingCode::eval_mode,
            .name = "the model is in eval mode",
            .advice =
                "call model->train() before the loop, and again after each evaluation: eval() switches dropout off "
                "and freezes the statistics of batch normalisation.",
            .find = find_eval_mode},
    Pattern{.code = FindingCode::anomaly_mode,
            .name = "autograd's anomaly mode",
            .advice =
                "it is a tool for debugging: remove AnomalyMode::set_enabled(true) or DetectAnomalyGuard from the "
                "training loop.",
            .find = find_anomaly_mode},
    Pattern{.code = FindingCode::unaligned_product,
            .name = "sizes that Tensor Cores cannot take",
            .advice =
                "make the sizes multiples of 8, for example by padding the vocabulary: others run at a fraction of "
                "the speed.",
            .gpu_only = true,
            .find = find_unaligned_products},
    Pattern{.code = FindingCode::float32_product,
            .name = "float32 products without TF32",
            .advice = "at::globalContext().setAllowTF32CuBLAS(true) lets Tensor Cores compute them, with 10 bits of "
                      "mantissa.",
            .gpu_only = true,
            .find = find_float32_products}};

}  // namespace

std::span<const Pattern> pattern_table() { return patterns; }

const Pattern* find_pattern(FindingCode code) {
  const auto at = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& row) { return row.code == code; });
  return at == patterns.end() ? nullptr : at;
}

std::vector<SourceFrame> frames_of(const ObservedWork& work, std::size_t site) {
  const auto place = site < work.sites.size() ? work.sites[site].place : std::nullopt;
  return place && *place < work.places.size() ? work.places[*place].frames : std::vector<SourceFrame>{};
}

}  // namespace stepgate
