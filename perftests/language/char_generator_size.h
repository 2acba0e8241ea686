// The size of a case that generates text: the parameters that it declares and a sweep may vary.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "language/char_lm_size.h"

namespace stepgate {

struct CharGeneratorSize {
  CharLmSize model;
  std::int64_t rows = 1;            ///< prompts that are answered together
  std::int64_t prompt_length = 16;  ///< symbols
  std::int64_t new_tokens = 8;      ///< generated for each prompt

  /// The symbols that the model sees at the end.
  std::int64_t length() const { return prompt_length + new_tokens; }
};

/// `language/char_lm_generate/tiny`: about 2 ms a request on one CPU thread.
CharGeneratorSize tiny_char_generator();

/// As Case::params: "layers", "heads", "width", "batch_size", "prompt_length", "new_tokens".
std::map<std::string, std::string> params_of(const CharGeneratorSize& size);

/// `size`, with the values of `params` and a context of length(). Throws std::invalid_argument for an unknown name or
/// an invalid number.
CharGeneratorSize with_params(CharGeneratorSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
