#include "core/kernels/library_operands.h"

#include <algorithm>
#include <cstddef>

namespace stepgate {
namespace {

/// More tensors than any product or convolution has. A collective may have hundreds.
constexpr std::size_t listed_tensors = 8;

std::int64_t element_count(const CalledTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.sizes) elements *= size;
  return elements;
}

/// A dimension of size 1 may have any stride, and so may a tensor without elements.
bool lies_dense(const CalledTensor& tensor) {
  if (tensor.strides.size() != tensor.sizes.size()) return true;  // sparse: it has none
  if (element_count(tensor) == 0) return true;
  std::int64_t dense = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != dense) return false;
    dense *= tensor.sizes[i];
  }
  return true;
}

std::string list_of_numbers(std::span<const std::int64_t> numbers) {
  std::string text = "[";
  for (const std::int64_t number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

std::string text_of_tensor(const CalledTensor& tensor) {
  std::string text = std::string(tensor.dtype) + list_of_numbers(tensor.sizes);
  if (!lies_dense(tensor)) text += " strides " + list_of_numbers(tensor.strides);
  return text;
}

}  // namespace

std::string library_operands(std::span<const CalledTensor> tensors, const std::vector<std::string>& arguments) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const std::size_t listed = std::min(tensors.size(), listed_tensors);
  for (std::size_t i = 0; i < listed; ++i) add(text_of_tensor(tensors[i]));
  std::int64_t more = 0;
  for (std::size_t i = listed; i < tensors.size(); ++i) more += element_count(tensors[i]);
  if (listed < tensors.size()) {
    add(std::to_string(tensors.size() - listed) + " more of " + std::to_string(more) + " elements");
  }
  for (const std::string& argument : arguments) add(argument);
  return text;
}

}  // namespace stepgate
