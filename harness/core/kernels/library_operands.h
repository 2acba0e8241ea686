// The operands of an operator call in one line: what a library is asked for. A record and a trace are described by the
// same function, so that equal calls have equal names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

struct CalledTensor {
  std::string_view dtype;  ///< "float32"
  std::span<const std::int64_t> sizes;
  std::span<const std::int64_t> strides;  ///< as many as sizes; else they are not known
};

/// "float32[8, 64], float32[64, 4] strides [1, 64], True": tensors with dtype and sizes, with strides where they are
/// not those of a contiguous tensor, then the other arguments. Of many tensors the first ones, and a sum of the rest.
std::string library_operands(std::span<const CalledTensor> tensors, const std::vector<std::string>& arguments);

}  // namespace stepgate
