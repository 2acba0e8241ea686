#include "language/transformer_flops.h"

#include "support/text_corpus.h"

namespace stepgate {

std::int64_t transformer_forward_flops(const CharLmSize& size, std::int64_t rows, std::int64_t length) {
  // qkv, output and the two products of the perceptron; then the logits.
  const std::int64_t weights = size.layers * (3 + 1 + 4 + 4) * size.width * size.width + size.width * vocabulary_size;
  const std::int64_t attention = 2 * size.layers * size.width * length;  // scores, and their product with the values
  return 2 * (weights + attention) * rows * length;
}

std::int64_t transformer_step_flops(const CharLmSize& size, std::int64_t rows, std::int64_t length) {
  constexpr std::int64_t forward_and_backward = 3;
  return forward_and_backward * transformer_forward_flops(size, rows, length);
}

}  // namespace stepgate
