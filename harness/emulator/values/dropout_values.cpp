// Dropout. The mask is an output, so the backward takes the one that the forward has drawn.
#include <ATen/ATen.h>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

at::Tensor mask_of(const ValueCall& call, double kept_share, at::ScalarType type) {
  const at::Tensor& input = call.arguments[0].toTensor();
  return at::empty_like(input, input.options().dtype(type)).bernoulli_(kept_share, generator_at(call.place));
}

at::Tensor scaled(const at::Tensor& input, const at::Tensor& mask, double scale) { return input.mul(mask).mul_(scale); }

double scale_of(double kept_share) { return kept_share == 0 ? 0 : 1 / kept_share; }

/// Its argument is the share that is dropped.
Values compute_native_dropout(const ValueCall& call) {
  const at::Tensor& input = call.arguments[0].toTensor();
  const bool is_training = call.arguments[2].isNone() || call.arguments[2].toBool();
  const double kept_share = is_training ? 1 - call.arguments[1].toDouble() : 1;
  const at::Tensor mask = mask_of(call, kept_share, at::kBool);
  return {scaled(input, mask, scale_of(kept_share)), mask};
}

/// Its argument is the share that is kept.
Values compute_fused_dropout(const ValueCall& call) {
  const double kept_share = call.arguments[1].toDouble();
  const at::Tensor mask = mask_of(call, kept_share, at::kByte);
  return {scaled(call.arguments[0].toTensor(), mask, scale_of(kept_share)), mask};
}

Values compute_masked_scale(const ValueCall& call) {
  const Values& in = call.arguments;
  return {scaled(in[0].toTensor(), in[1].toTensor(), in[2].toDouble())};
}

constexpr ValueOperator dropout_rows[] = {
    {"aten::native_dropout", compute_native_dropout, true},
    {"aten::_fused_dropout", compute_fused_dropout, true},
    {"aten::_masked_scale", compute_masked_scale},
};

}  // namespace

std::span<const ValueOperator> dropout_values() { return dropout_rows; }

}  // namespace stepgate::emulator
