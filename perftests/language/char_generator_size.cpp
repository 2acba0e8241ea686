#include "language/char_generator_size.h"

#include <vector>

namespace stepgate {
namespace {

/// Every field by its name: one list for reading and writing.
std::vector<NamedNumber> numbers_of(CharGeneratorSize& size) {
  return {{.name = "layers", .value = &size.model.layers},         {.name = "heads", .value = &size.model.heads},
          {.name = "width", .value = &size.model.width},           {.name = "batch_size", .value = &size.rows},
          {.name = "prompt_length", .value = &size.prompt_length}, {.name = "new_tokens", .value = &size.new_tokens}};
}

}  // namespace

CharGeneratorSize tiny_char_generator() { return with_params(CharGeneratorSize{}, {}); }

std::map<std::string, std::string> params_of(const CharGeneratorSize& size) {
  CharGeneratorSize copy = size;
  return params_of(numbers_of(copy));
}

CharGeneratorSize with_params(CharGeneratorSize size, const std::map<std::string, std::string>& params) {
  set_params("char_lm_generate", numbers_of(size), params);
  require_possible(size.model);
  size.model.batch.max_length = size.length();
  return size;
}

}  // namespace stepgate
