// The memory of a convolution network in training, counted from its size.
#pragma once

#include <cstdint>

#include "support/training_memory.h"
#include "vision/conv_net.h"

namespace stepgate {

/// Numbers of all weights of ConvNet.
std::int64_t parameters_of(const ConvNetSize& size);

/// The images of a batch.
struct ImageBatch {
  std::int64_t rows = 0;
  std::int64_t side = 0;  ///< pixels
};

/// With SGD and momentum. `autocast`: bfloat16 in forward.
TrainingMemory memory_of(const ConvNetSize& size, const ImageBatch& batch, bool autocast);

}  // namespace stepgate
