#include "support/training_memory.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::int64_t gradient_bytes = 4;
constexpr std::int64_t split_share = 8;
constexpr std::int64_t libraries = std::int64_t{3} << 28;

}  // namespace

std::int64_t tensor_bytes(const TrainingMemory& memory) {
  return memory.parameters * memory.state_bytes_per_parameter +
         std::max(memory.activation_bytes + memory.temporary_bytes, memory.parameters * gradient_bytes);
}

std::int64_t device_bytes(const TrainingMemory& memory) {
  const std::int64_t tensors = tensor_bytes(memory);
  return tensors + tensors / split_share + libraries;
}

}  // namespace stepgate
