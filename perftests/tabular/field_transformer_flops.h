// The model FLOPs of a training step of the field transformer, for TFLOP/s and MFU.
#pragma once

#include <cstdint>

#include "tabular/field_transformer_size.h"

namespace stepgate {

/// Of forward and backward over `rows` rows, in the products that the task needs: a multiplication and an addition are
/// two, and backward counts twice the forward. The same for both models: writing products out adds no useful work.
std::int64_t field_transformer_step_flops(const FieldTransformerSize& size, std::int64_t rows);

}  // namespace stepgate
