// Batch normalisation of cuDNN. Its results are those of LibTorch's own, but for the space that it reserves.
#include <ATen/ATen.h>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

/// Running mean and variance are arguments whose schema does not say that they are written. They are written here too.
Values compute_batch_norm(const ValueCall& call) {
  const Values& in = call.arguments;
  const auto [output, mean, inverse_deviation] =
      at::native_batch_norm(in[0].toTensor(), optional_tensor(in[1]), optional_tensor(in[2]), optional_tensor(in[3]),
                            optional_tensor(in[4]), in[5].toBool(), in[6].toDouble(), in[7].toDouble());
  return {output, mean, inverse_deviation};
}

/// cuDNN has this backward for training only. What its schema calls save_var is one over the standard deviation.
Values compute_batch_norm_backward(const ValueCall& call) {
  const Values& in = call.arguments;
  constexpr bool is_training = true;
  const auto [of_input, of_weight, of_bias] =
      at::native_batch_norm_backward(in[1].toTensor().contiguous(), in[0].toTensor(), optional_tensor(in[2]),
                                     optional_tensor(in[3]), optional_tensor(in[4]), optional_tensor(in[5]),
                                     optional_tensor(in[6]), is_training, in[7].toDouble(), {true, true, true});
  return {of_input, of_weight, of_bias};
}

constexpr ValueOperator batch_norm_rows[] = {
    {"aten::cudnn_batch_norm", compute_batch_norm},
    {"aten::cudnn_batch_norm_backward", compute_batch_norm_backward},
};

}  // namespace

std::span<const ValueOperator> batch_norm_values() { return batch_norm_rows; }

}  // namespace stepgate::emulator
