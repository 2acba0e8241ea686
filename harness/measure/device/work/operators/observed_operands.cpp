#include "measure/device/work/operators/observed_operands.h"

#include <c10/core/ScalarType.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "measure/device/work/operators/call_sites.h"

namespace stepgate {

std::string dtype_name(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte:
      return "uint8";
    case c10::ScalarType::Char:
      return "int8";
    case c10::ScalarType::Short:
      return "int16";
    case c10::ScalarType::Int:
      return "int32";
    case c10::ScalarType::Long:
      return "int64";
    case c10::ScalarType::Half:
      return "float16";
    case c10::ScalarType::Float:
      return "float32";
    case c10::ScalarType::Double:
      return "float64";
    case c10::ScalarType::ComplexFloat:
      return "complex64";
    case c10::ScalarType::ComplexDouble:
      return "complex128";
    default:  // Bool, BFloat16, Float8_e4m3fn: named alike but for the case
      std::string name = c10::toString(type);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      return name;
  }
}

namespace {

/// Sparse, nested and opaque tensors have no strides, some of them no sizes.
bool has_strides(const c10::TensorImpl& tensor) {
  return tensor.layout() == c10::Layout::Strided && !tensor.key_set().has(c10::DispatchKey::NestedTensor);
}

/// Elements in memory: a dimension of stride 0 repeats the same ones.
std::int64_t elements_in_memory(const c10::TensorImpl& tensor, bool& is_broadcast) {
  std::int64_t elements = 1;
  const c10::IntArrayRef sizes = tensor.sizes();
  const c10::IntArrayRef strides = tensor.strides();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool repeats = strides[i] == 0 && sizes[i] > 1;
    is_broadcast |= repeats;
    if (!repeats) elements *= sizes[i];
  }
  return elements;
}

/// Adds a tensor to the hash. Returns its bytes.
std::int64_t add_tensor(OperandSums& sums, const c10::TensorImpl& tensor, bool by_shape) {
  const auto dtype = static_cast<std::uint64_t>(c10::typeMetaToScalarType(tensor.dtype()));
  sums.on_gpu |= tensor.is_cuda();
  if (!has_strides(tensor)) {
    mix_into(sums.hash, dtype << 8 | 0xff);
    return 0;
  }
  bool is_broadcast = false;
  const std::int64_t elements = elements_in_memory(tensor, is_broadcast);
  const std::uint64_t layout = tensor.is_contiguous() ? 1 : 2;
  mix_into(sums.hash, dtype << 8 | layout << 1 | (is_broadcast ? 1 : 0));
  if (by_shape) {
    for (const std::int64_t size : tensor.sizes()) mix_into(sums.hash, static_cast<std::uint64_t>(size));
    for (const std::int64_t stride : tensor.strides()) mix_into(sums.hash, static_cast<std::uint64_t>(stride));
    mix_into(sums.hash, tensor.sizes().size());
  }
  return elements * static_cast<std::int64_t>(tensor.itemsize());
}

ObservedTensor described(const c10::TensorImpl& tensor) {
  ObservedTensor result{.sizes = {}, .strides = {}, .dtype = dtype_name(c10::typeMetaToScalarType(tensor.dtype()))};
  if (!has_strides(tensor)) return result;
  result.sizes = tensor.sizes().vec();
  result.strides = tensor.strides().vec();
  return result;
}

std::string text_of(const c10::IValue& value);

std::string list_text(const c10::IValue& list) {
  std::string text = "[";
  for (const c10::IValue& element : list.toListRef()) text += (text.size() > 1 ? ", " : "") + text_of(element);
  return text + "]";
}

std::string text_of(const c10::IValue& value) {
  if (value.isNone()) return "None";
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (value.isInt()) return fmt::format("{}", value.toInt());
  if (value.isDouble()) return fmt::format("{}", value.toDouble());
  if (value.isString()) return value.toStringRef();
  if (value.isDevice()) return value.toDevice().str();
  if (value.isList()) return list_text(value);
  return value.tagKind();
}

std::string dtype_text(const c10::IValue& value) {
  return value.isInt() ? dtype_name(static_cast<c10::ScalarType>(value.toInt())) : text_of(value);
}

std::vector<ObservedTensor> described_inputs(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs,
                                             const OriginOf& origin_of) {
  std::vector<ObservedTensor> tensors;
  for (std::size_t i = 0; i < std::min(inputs.size(), op.arguments.size()); ++i) {
    if (!op.arguments[i].has_tensors) continue;
    for_each_tensor(inputs[i], [&](const c10::TensorImpl& tensor) {
      tensors.push_back(described(tensor));
      tensors.back().from = origin_of(tensor);
    });
  }
  return tensors;
}

std::vector<std::string> argument_texts(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(inputs.size(), op.arguments.size()); ++i) {
    if (op.arguments[i].has_tensors) continue;
    texts.push_back(op.arguments[i].is_dtype ? dtype_text(inputs[i]) : text_of(inputs[i]));
  }
  return texts;
}

}  // namespace

OperandSums sum_inputs(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs, bool by_shape) {
  OperandSums sums;
  const std::size_t arguments = std::min(inputs.size(), op.arguments.size());
  for (std::size_t i = 0; i < arguments; ++i) {
    if (!op.arguments[i].has_tensors) continue;
    std::int64_t bytes = 0;
    for_each_tensor(inputs[i], [&](const c10::TensorImpl& tensor) { bytes += add_tensor(sums, tensor, by_shape); });
    bytes *= op.arguments[i].moves;
    if (i == 0) sums.first_bytes = bytes;
    sums.bytes += bytes;
  }
  return sums;
}

OperandSums sum_outputs(const OperatorTraits& op, const std::vector<c10::IValue>& outputs, bool by_shape) {
  OperandSums sums;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool is_new = i >= op.new_results.size() || op.new_results[i];
    for_each_tensor(outputs[i], [&](const c10::TensorImpl& tensor) {
      const std::int64_t bytes = add_tensor(sums, tensor, by_shape);
      if (is_new) sums.bytes += bytes;
    });
  }
  return sums;
}

std::vector<ObservedTensor> described_outputs(const std::vector<c10::IValue>& outputs) {
  std::vector<ObservedTensor> tensors;
  for (const c10::IValue& output : outputs) {
    for_each_tensor(output, [&](const c10::TensorImpl& tensor) { tensors.push_back(described(tensor)); });
  }
  return tensors;
}

OperatorCall described_call(const OperatorTraits& op, c10::ArrayRef<const c10::IValue> inputs,
                            const OriginOf& origin_of) {
  return {.inputs = described_inputs(op, inputs, origin_of), .outputs = {}, .arguments = argument_texts(op, inputs)};
}

}  // namespace stepgate
