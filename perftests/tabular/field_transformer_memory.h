// The memory of a field transformer in training, counted from its size.
#pragma once

#include <cstdint>

#include "support/training_memory.h"
#include "tabular/field_transformer_size.h"

namespace stepgate {

/// Numbers of all weights of FieldNetwork.
std::int64_t parameters_of(const FieldTransformerSize& size);

/// With AdamW, in float32. The naive model keeps the repeated tensors of its products for backward.
TrainingMemory memory_of(const FieldTransformerSize& size, std::int64_t rows);

}  // namespace stepgate
