// Host memory of a batch whose length varies.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace stepgate {

/// An uninitialised tensor of `sizes`. A page-locked one takes a block of `most` numbers, those of the largest batch:
/// LibTorch keeps page-locked blocks by size, so a length that comes for the first time would pin new memory in the
/// middle of training, which takes long and may wait for the device. Throws std::invalid_argument where `sizes` have
/// more.
torch::Tensor host_batch(at::IntArrayRef sizes, std::int64_t most, const torch::TensorOptions& options);

}  // namespace stepgate
