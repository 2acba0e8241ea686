#include "language/char_lm_size.h"

#include <stdexcept>

#include "support/named_numbers.h"

namespace stepgate {
namespace {

/// Every field by its name: one list that both directions read.
std::vector<NamedNumber> numbers_of(CharLmSize& size) {
  return {{.name = "layers", .value = &size.layers},
          {.name = "heads", .value = &size.heads},
          {.name = "width", .value = &size.width},
          {.name = "batch_size", .value = &size.batch.batch_size},
          {.name = "max_length", .value = &size.batch.max_length},
          {.name = "bucket_width", .value = &size.batch.bucket_width}};
}

}  // namespace

CharLmSize tiny_char_lm() { return {}; }

CharLmSize full_char_lm() {
  return {.layers = 12, .heads = 12, .width = 768, .batch = {.batch_size = 32, .max_length = 512, .bucket_width = 128}};
}

std::map<std::string, std::string> params_of(const CharLmSize& size) {
  CharLmSize copy = size;
  return params_of(numbers_of(copy));
}

CharLmSize with_params(CharLmSize size, const std::map<std::string, std::string>& params) {
  set_params("char_lm", numbers_of(size), params);
  if (size.width % size.heads != 0) {
    throw std::invalid_argument("char_lm: width " + std::to_string(size.width) + " is no multiple of heads " +
                                std::to_string(size.heads));
  }
  return size;
}

}  // namespace stepgate
