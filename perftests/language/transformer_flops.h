// The model FLOPs of a step of the transformer, for TFLOP/s and MFU.
#pragma once

#include <cstdint>

#include "language/char_lm_size.h"

namespace stepgate {

/// Of forward and backward over rows x length tokens: matrix products only, a multiplication and an addition are two,
/// and backward counts twice the forward. The attention counts whole rows, without the causal half, as usual: appendix
/// B of PaLM (Chowdhery and others, 2022), 6 N + 12 layers width length per token, N without the embeddings that are
/// only looked up. The optimizer's operations per parameter are below 1 % of it and left out.
std::int64_t transformer_step_flops(const CharLmSize& size, std::int64_t rows, std::int64_t length);

/// Of forward alone: a third of it.
std::int64_t transformer_forward_flops(const CharLmSize& size, std::int64_t rows, std::int64_t length);

}  // namespace stepgate
