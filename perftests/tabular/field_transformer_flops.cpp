#include "tabular/field_transformer_flops.h"

#include "tabular/field_rows.h"

namespace stepgate {

std::int64_t field_transformer_step_flops(const FieldTransformerSize& size, std::int64_t rows) {
  // Of a field: its own matrix, qkv, output, and the two products of the perceptron.
  const std::int64_t matrices = (1 + 3 + 1 + 4 + 4) * size.width * size.width;
  const std::int64_t attention = 2 * field_count * size.width;  // scores, and their product with the values
  const std::int64_t head = size.width * digit_classes;
  constexpr std::int64_t forward_and_backward = 3;
  return forward_and_backward * 2 * rows * (field_count * (matrices + attention) + head);
}

}  // namespace stepgate
