#include "measure/device/work/operators/operands_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace stepgate {
namespace {

/// More tensors than any product or convolution has. A collective may have hundreds.
constexpr std::size_t listed_tensors = 8;

std::int64_t element_count(const ObservedTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.sizes) elements *= size;
  return elements;
}

/// A dimension of size 1 may have any stride, and so may a tensor without elements.
bool lies_dense(const ObservedTensor& tensor) {
  if (tensor.strides.size() != tensor.sizes.size()) return true;  // sparse: it has none
  if (element_count(tensor) == 0) return true;
  std::int64_t dense = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != dense) return false;
    dense *= tensor.sizes[i];
  }
  return true;
}

std::string tensor_text(const ObservedTensor& tensor) {
  const std::string sizes = fmt::format("{}[{}]", tensor.dtype, fmt::join(tensor.sizes, ", "));
  return lies_dense(tensor) ? sizes : fmt::format("{} strides [{}]", sizes, fmt::join(tensor.strides, ", "));
}

}  // namespace

std::string operands_text(const OperatorCall& call) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const std::size_t listed = std::min(call.inputs.size(), listed_tensors);
  for (std::size_t i = 0; i < listed; ++i) add(tensor_text(call.inputs[i]));
  std::int64_t more = 0;
  for (std::size_t i = listed; i < call.inputs.size(); ++i) more += element_count(call.inputs[i]);
  if (listed < call.inputs.size()) add(fmt::format("{} more of {} elements", call.inputs.size() - listed, more));
  for (const std::string& argument : call.arguments) add(argument);
  return text;
}

}  // namespace stepgate
