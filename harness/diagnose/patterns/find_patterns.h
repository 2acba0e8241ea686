// The pattern functions behind pattern_table(), one file each. Each is a pure function of the observed work; sites in
// backward that compute gradients are left to the forward sites that they belong to.
#pragma once

#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "diagnose/patterns/pattern_match.h"

namespace stepgate {

/// Values of float32 or less become float64, and other operators compute in it.
std::vector<PatternMatch> find_float64_work(const ObservedWork& work);

/// Half of the time that operators on float64 take in a boundary: in float32 they take about half, on a GPU less.
double half_of_float64_ns(const ObservedWork& work, std::string_view boundary);

/// A dense tensor whose dimensions were permuted is copied into row-major order.
std::vector<PatternMatch> find_permuted_copies(const ObservedWork& work);

/// A matrix product or convolution copies an operand, because the kernel does not take its layout. Also in backward: a
/// copy there is not part of the forward operator.
std::vector<PatternMatch> find_copies_in_products(const ObservedWork& work);

/// A tensor that was computed in channels_last is copied into row-major order.
std::vector<PatternMatch> find_lost_channels_last(const ObservedWork& work);

/// A tensor is cast to fewer bytes and then back.
std::vector<PatternMatch> find_cast_round_trips(const ObservedWork& work);

/// aten::repeat copies along dimensions of size 1, where aten::expand would make a view. Without those that only feed a
/// product of find_expanded_products().
std::vector<PatternMatch> find_repeats(const ObservedWork& work);

/// A product of tensors that were expanded or repeated to its size, and that is summed right away: a matrix product
/// that is written out (core/study/written_product.h).
std::vector<PatternMatch> find_expanded_products(const ObservedWork& work);

/// Softmax of scores whose result is multiplied with values: attention without the fused operator.
std::vector<PatternMatch> find_written_attention(const ObservedWork& work);

/// A convolution adds a bias that the batch normalisation behind it takes away again.
std::vector<PatternMatch> find_convolution_biases(const ObservedWork& work);

/// A loop of the model takes a tensor apart with aten::select, ten times a step or more. What a loader does has no
/// backward.
std::vector<PatternMatch> find_indexing_loops(const ObservedWork& work);

/// A tensor is filled on the host and then copied as it is to a device.
std::vector<PatternMatch> find_host_made_tensors(const ObservedWork& work);

/// Below this share of the FLOPs of all products, misaligned ones matter little: a head of ten classes always is one.
inline constexpr double least_misaligned_share = 0.05;

/// Matrix products of half precision whose sizes are not multiples of 8, if they have at least that share of the FLOPs.
std::vector<PatternMatch> find_unaligned_products(const ObservedWork& work);

/// Matrix products in float32. They matter on a GPU with TF32 whose use is off.
std::vector<PatternMatch> find_float32_products(const ObservedWork& work);

/// Batch normalisation or dropout told not to train, in a step that trains.
std::vector<PatternMatch> find_eval_mode(const ObservedWork& work);

/// Backward asks each gradient whether it is a number.
std::vector<PatternMatch> find_anomaly_mode(const ObservedWork& work);

/// The optimizer makes its state anew.
std::vector<PatternMatch> find_rebuilt_optimizer(const ObservedWork& work);

/// PyTorch's pattern matcher calls an optimizer single-tensor if it calls more operators than this for each parameter
/// tensor. Plain SGD has two: the update and zero_grad().
inline constexpr double most_updates_per_tensor = 3;

/// The optimizer calls more operators than that.
std::vector<PatternMatch> find_single_tensor_optimizer(const ObservedWork& work);

/// Gradients are set to zero in place instead of being released.
std::vector<PatternMatch> find_zeroed_gradients(const ObservedWork& work);

/// An operator that is called once, or a few times, per sample or token (count_explained.h).
std::vector<PatternMatch> find_item_loops(const ObservedWork& work);

}  // namespace stepgate
