// Values that are written by hand: of operators that LibTorch has for GPUs only, and of those whose kernel for CPUs
// draws from the program's own generator.
#pragma once

#include <ATen/core/ivalue.h>

#include <span>
#include <string_view>
#include <vector>

#include "emulator/values/random_place.h"

namespace stepgate::emulator {

using Values = std::vector<c10::IValue>;

/// A call of an operator. All tensors are on the CPU.
struct ValueCall {
  const Values& arguments;
  RandomPlace place;  ///< for what the operator draws
};

/// Returns what the operator returns, in its order. The list may be shorter, and an undefined tensor leaves the result
/// as it is: what LibTorch's host code has set, or space of a library. A result may have another shape with as many
/// elements.
using ComputeValues = Values (*)(const ValueCall& call);

struct ValueOperator {
  std::string_view name;  ///< of its schema, without an overload
  ComputeValues compute;
  bool draws = false;  ///< random numbers
};

/// nullptr where the operator's kernel for CPUs is right.
const ValueOperator* find_value_operator(std::string_view name);

// ---- the families
std::span<const ValueOperator> attention_values();
std::span<const ValueOperator> batch_norm_values();
std::span<const ValueOperator> convolution_values();
std::span<const ValueOperator> dropout_values();
std::span<const ValueOperator> rms_norm_values();
std::span<const ValueOperator> rnn_values();

// ---- reading arguments
/// Undefined where the argument is None.
inline at::Tensor optional_tensor(const c10::IValue& value) {
  return value.isTensor() ? value.toTensor() : at::Tensor();
}

}  // namespace stepgate::emulator
