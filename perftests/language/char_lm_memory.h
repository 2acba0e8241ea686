// The memory of a character model in training, counted from its size.
#pragma once

#include <cstdint>

#include "language/char_lm_size.h"
#include "support/training_memory.h"

namespace stepgate {

/// Numbers of all weights of Transformer.
std::int64_t parameters_of(const CharLmSize& size);

/// With AdamW, for batches of the longest length. `rows` are those whose graph is alive together on one device.
/// `autocast`: bfloat16 in forward.
TrainingMemory memory_of(const CharLmSize& size, std::int64_t rows, bool autocast);

}  // namespace stepgate
