// The memory that an operator reads or writes where it takes a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include "emulator/work/memory_access.h"

namespace stepgate::emulator {

/// Own choice: more pieces of one tensor are told as one stretch with gaps.
inline constexpr std::int64_t most_pieces = 256;

/// The bytes from its first to its last element; of a tensor with gaps each piece by itself, up to most_pieces. Nothing
/// of a tensor that is undefined, has no elements or no strides.
void add_stretches(MemoryAccesses& accesses, const at::Tensor& tensor, bool writes);

}  // namespace stepgate::emulator
