// Operands and results of an operator call: a hash and their bytes, quickly for every call, and their description for
// the first call of a kind.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/record/observed_work.h"
#include "measure/device/work/operators/operator_traits.h"

namespace stepgate {

/// "float32", "bfloat16", "int64", as in Python.
std::string dtype_name(c10::ScalarType type);

/// Sums over all tensors on one side of a call.
struct OperandSums {
  std::uint64_t hash = 0;        ///< over dtypes and layout; with `by_shape` over sizes and strides, too
  std::int64_t bytes = 0;        ///< bytes that move: broadcast dimensions once, tensors updated in place twice
  std::int64_t first_bytes = 0;  ///< the part of the first argument
  bool on_gpu = false;           ///< one of them is
};

/// `inputs` are in the schema's order. Allocates nothing.
OperandSums sum_inputs(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs, bool by_shape);
OperandSums sum_outputs(const OperatorTraits& op, const std::vector<c10::IValue>& outputs, bool by_shape);

/// Says where an input came from, for ObservedTensor::from.
using OriginOf = std::function<std::string(const c10::TensorImpl&)>;

inline std::string unknown_origin(const c10::TensorImpl& /*tensor*/) { return ""; }

/// Without results.
OperatorCall described_call(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs,
                            const OriginOf& origin_of);
std::vector<ObservedTensor> described_outputs(const std::vector<c10::IValue>& outputs);

/// Calls `visit` with the TensorImpl of each defined tensor in `value`, which may be a list.
template <typename Visit>
void for_each_tensor(const c10::IValue& value, Visit visit) {
  if (value.isTensor()) {
    const c10::TensorImpl* impl = value.unsafeToTensorImpl();
    if (impl != nullptr && impl != c10::UndefinedTensorImpl::singleton()) visit(*impl);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) for_each_tensor(element, visit);
  } else if (value.isTuple()) {
    for (const c10::IValue& element : value.toTupleRef().elements()) for_each_tensor(element, visit);
  }
}

}  // namespace stepgate
