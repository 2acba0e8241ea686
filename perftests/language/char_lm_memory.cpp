#include "language/char_lm_memory.h"

#include "support/text_corpus.h"

namespace stepgate {
namespace {

constexpr std::int64_t adamw_bytes = 12;  // weight and two moments in float32
constexpr std::int64_t cast_bytes = 2;    // autocast's copy of a weight, kept until backward

// Bytes that a block keeps for backward, per token and number of its width; each row of the sum is a saved tensor.
constexpr std::int64_t block_bytes = 4 *   // float32
                                     (1    // input, read by the first norm
                                      + 1  // normalised, read by qkv
                                      + 3  // q, k and v
                                      + 1  // result of attention
                                      + 1  // the same with heads side by side, read by attention_out
                                      + 1  // sum with the input, read by the second norm
                                      + 1  // normalised, read by mlp_in
                                      + 4  // result of mlp_in, read by gelu
                                      + 4  // result of gelu, read by mlp_out
                                     );
// The two inputs of norms stay in float32, the fifteen others are bfloat16.
constexpr std::int64_t autocast_block_bytes = 4 * 2 + 2 * 15;

// Of a logit: the logarithm of its probability is kept; its value and its gradient are temporaries.
constexpr std::int64_t saved_logit_bytes = 4;
constexpr std::int64_t temporary_logit_bytes = 8;

}  // namespace

std::int64_t parameters_of(const CharLmSize& size) {
  const std::int64_t width = size.width;
  const std::int64_t attention = 4 * width * width + 4 * width;
  const std::int64_t mlp = 8 * width * width + 5 * width;
  const std::int64_t norm = 2 * width;
  return vocabulary_size * width + size.batch.max_length * width + size.layers * (attention + mlp + 2 * norm) + norm;
}

TrainingMemory memory_of(const CharLmSize& size, std::int64_t rows, bool autocast) {
  const std::int64_t tokens = rows * size.batch.max_length;
  return {.parameters = parameters_of(size),
          .state_bytes_per_parameter = adamw_bytes + (autocast ? cast_bytes : 0),
          .activation_bytes = tokens * (size.layers * size.width * (autocast ? autocast_block_bytes : block_bytes) +
                                        vocabulary_size * saved_logit_bytes),
          .temporary_bytes = tokens * vocabulary_size * temporary_logit_bytes};
}

}  // namespace stepgate
