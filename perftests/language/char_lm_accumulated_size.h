// The parameters of language/char_lm_accumulated: how many micro-batches make an update, and how its rate changes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "language/char_lm_size.h"

namespace stepgate {

struct CharLmAccumulatedSize {
  CharLmSize model;                 ///< batch.batch_size is that of one micro-batch
  std::int64_t micro_batches = 4;   ///< steps whose gradients add up before an update
  std::int64_t warmup_updates = 2;  ///< the learning rate rises over them
  std::int64_t total_updates = 50;  ///< and has fallen to its least when so many are done
  std::string telemetry = "on";     ///< as LogFolder takes it
};

/// `language/char_lm_accumulated/tiny`: the model of char_lm/tiny.
CharLmAccumulatedSize tiny_char_lm_accumulated();

/// As Case::params: those of CharLmSize, and "micro_batches", "warmup_updates", "total_updates", "telemetry".
std::map<std::string, std::string> params_of(const CharLmAccumulatedSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid number.
CharLmAccumulatedSize with_params(CharLmAccumulatedSize size, std::map<std::string, std::string> params);

}  // namespace stepgate
