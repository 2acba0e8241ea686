#include "language/char_lm_size.h"

#include <stdexcept>

namespace stepgate {

std::vector<NamedNumber> numbers_of(CharLmSize& size) {
  return {{.name = "layers", .value = &size.layers},
          {.name = "heads", .value = &size.heads},
          {.name = "width", .value = &size.width},
          {.name = "batch_size", .value = &size.batch.batch_size},
          {.name = "max_length", .value = &size.batch.max_length},
          {.name = "bucket_width", .value = &size.batch.bucket_width}};
}

CharLmSize tiny_char_lm() { return {}; }

CharLmSize full_char_lm() {
  return {.layers = 12, .heads = 12, .width = 768, .batch = {.batch_size = 32, .max_length = 512, .bucket_width = 128}};
}

CharLmSize gpu_small_char_lm() {
  return {.layers = 6, .heads = 6, .width = 384, .batch = {.batch_size = 16, .max_length = 256, .bucket_width = 64}};
}

std::map<std::string, std::string> params_of(const CharLmSize& size) {
  CharLmSize copy = size;
  return params_of(numbers_of(copy));
}

void require_possible(const CharLmSize& size) {
  if (size.width % size.heads == 0) return;
  throw std::invalid_argument("char_lm: width " + std::to_string(size.width) + " is no multiple of heads " +
                              std::to_string(size.heads));
}

CharLmSize with_params(CharLmSize size, const std::map<std::string, std::string>& params) {
  set_params("char_lm", numbers_of(size), params);
  require_possible(size);
  return size;
}

}  // namespace stepgate
