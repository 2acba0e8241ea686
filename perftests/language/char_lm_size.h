// The size of a character model: the parameters that a case declares and a sweep may vary.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/named_numbers.h"
#include "support/token_batches.h"

namespace stepgate {

struct CharLmSize {
  std::int64_t layers = 2;
  std::int64_t heads = 4;
  std::int64_t width = 64;  ///< of the residual stream, a multiple of `heads`
  BatchShape batch;
};

/// `language/char_lm/tiny`: about 10 ms a step on one CPU thread.
CharLmSize tiny_char_lm();

/// `language/char_lm/full`: 85 million parameters, batches of up to 32 x 512 tokens, for a GPU.
CharLmSize full_char_lm();

/// `language/char_lm/gpu_small`: 11 million parameters, batches of up to 16 x 256 tokens, for a GPU of 8 GB.
CharLmSize gpu_small_char_lm();

/// Every field by its name, for workloads that add parameters of their own.
std::vector<NamedNumber> numbers_of(CharLmSize& size);

/// Throws std::invalid_argument if width is not a multiple of heads.
void require_possible(const CharLmSize& size);

/// As Case::params: "layers", "heads", "width", "batch_size", "max_length", "bucket_width".
std::map<std::string, std::string> params_of(const CharLmSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid number.
CharLmSize with_params(CharLmSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
