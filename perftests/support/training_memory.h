// An estimate of the GPU memory that training needs, from the numbers of a size and without building anything. A case
// that does not fit is skipped with this figure (Case::device_bytes).
#pragma once

#include <cstdint>

namespace stepgate {

/// What is alive when backward begins. Backward then frees activations and makes gradients.
struct TrainingMemory {
  std::int64_t parameters = 0;                 ///< numbers, not bytes
  std::int64_t state_bytes_per_parameter = 0;  ///< weight, state of the optimizer, cast copy of the weight
  std::int64_t activation_bytes = 0;           ///< tensors that backward reads
  std::int64_t temporary_bytes = 0;            ///< tensors of the operators at the end of forward
};

/// The peak of all tensors: state, and the larger of what backward frees and the gradients in float32 that it makes. On
/// a CPU the measured peaks of the tiny cases are within 7 % of it.
std::int64_t tensor_bytes(const TrainingMemory& memory);

/// What a GPU needs for them: an eighth more for blocks that the allocator has split and cannot use, and 0.75 GiB for
/// the workspaces and kernels of the CUDA libraries. Both are estimates: on an H100 the allocator reserved 0.1 to
/// 0.6 GiB more than it had allocated.
std::int64_t device_bytes(const TrainingMemory& memory);

}  // namespace stepgate
