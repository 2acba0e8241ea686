#include "tabular/field_transformer_memory.h"

#include <algorithm>

#include "tabular/field_rows.h"

namespace stepgate {
namespace {

constexpr std::int64_t field_state_bytes = 12;  // weight and two moments in float32
constexpr std::int64_t float_bytes = 4;

// Tensors of the width that both models keep for backward; each row of the sum is a saved tensor.
constexpr std::int64_t kept_widths = 1     // looked up, read by the products with the matrices
                                     + 1   // result of these, read by the first norm
                                     + 1   // normalised, read by qkv
                                     + 3   // q, k and v
                                     + 1   // result of attention
                                     + 1   // the same with heads side by side, read by attention_out
                                     + 1   // sum with the input, read by the second norm
                                     + 1   // normalised, read by mlp_in
                                     + 4;  // result of relu, read by mlp_out
// At the begin of backward: gradients of the sum, of the result of relu, and of its input.
constexpr std::int64_t temporary_widths = 1 + 4 + 4;

}  // namespace

std::int64_t parameters_of(const FieldTransformerSize& size) {
  const std::int64_t width = size.width;
  const std::int64_t looked_up = field_levels * width;
  const std::int64_t attention = 4 * width * width + width;
  const std::int64_t mlp = 8 * width * width + 5 * width;
  const std::int64_t norms = 2 * 2 * width;
  return looked_up + field_count * width * width + attention + mlp + norms + (width + 1) * digit_classes;
}

TrainingMemory memory_of(const FieldTransformerSize& size, std::int64_t rows) {
  const std::int64_t fields = rows * field_count;
  TrainingMemory memory{.parameters = parameters_of(size),
                        .state_bytes_per_parameter = field_state_bytes,
                        .activation_bytes = fields * size.width * kept_widths * float_bytes,
                        .temporary_bytes = fields * size.width * temporary_widths * float_bytes};
  if (size.model == FieldModel::fixed) return memory;
  // Both factors of each product that is written out; in backward also the gradients of both.
  const std::int64_t by_matrices = 2 * fields * size.width * size.width * float_bytes;
  const std::int64_t by_scores = 2 * fields * field_count * size.width * float_bytes;
  memory.activation_bytes += by_matrices + by_scores;
  memory.temporary_bytes = std::max({memory.temporary_bytes, by_scores, by_matrices - by_scores});
  return memory;
}

}  // namespace stepgate
