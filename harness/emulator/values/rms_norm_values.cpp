// Normalisation by the root of the mean square, forward and backward.
#include <ATen/ATen.h>

#include <limits>
#include <optional>
#include <vector>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

/// The last `count` dimensions, from the end: -1, -2, ...
std::vector<std::int64_t> last_dimensions(std::size_t count) {
  std::vector<std::int64_t> dimensions;
  for (std::size_t place = 1; place <= count; ++place) dimensions.push_back(-static_cast<std::int64_t>(place));
  return dimensions;
}

/// Returns the output and one over the root of the mean square. The kernel's own least number is that of float32.
Values compute_rms_norm(const ValueCall& call) {
  const at::Tensor input = call.arguments[0].toTensor().to(at::kFloat);
  const std::vector<std::int64_t> dimensions = last_dimensions(call.arguments[1].toIntVector().size());
  const at::Tensor weight = optional_tensor(call.arguments[2]);
  const std::optional<double> given = call.arguments[3].toOptional<double>();
  const double least = given.value_or(std::numeric_limits<float>::epsilon());
  const at::Tensor inverse = (input.square().mean(dimensions, true) + least).rsqrt();
  const at::Tensor output = input * inverse;
  return {weight.defined() ? output * weight : output, inverse};
}

/// Of the input and of the weight.
Values compute_rms_norm_backward(const ValueCall& call) {
  const Values& in = call.arguments;
  const at::Tensor gradient = in[0].toTensor().to(at::kFloat);
  const at::Tensor input = in[1].toTensor().to(at::kFloat);
  const std::vector<std::int64_t> normalized = in[2].toIntVector();
  const at::Tensor inverse = in[3].toTensor().to(at::kFloat);
  const at::Tensor weight = optional_tensor(in[4]);
  const at::Tensor scaled_input = input * inverse;
  const at::Tensor weighted = weight.defined() ? gradient * weight : gradient;
  const at::Tensor shared = (weighted * scaled_input).mean(last_dimensions(normalized.size()), true);
  const at::Tensor of_input = inverse * (weighted - scaled_input * shared);
  if (!weight.defined()) return {of_input};
  std::vector<std::int64_t> rows = {-1};
  rows.insert(rows.end(), normalized.begin(), normalized.end());
  return {of_input, (gradient * scaled_input).reshape(rows).sum(0)};
}

constexpr ValueOperator rms_norm_rows[] = {
    {"aten::_fused_rms_norm", compute_rms_norm},
    {"aten::_fused_rms_norm_backward", compute_rms_norm_backward},
};

}  // namespace

std::span<const ValueOperator> rms_norm_values() { return rms_norm_rows; }

}  // namespace stepgate::emulator
