// The parameters of language/char_lm_parallel: how several ranks share the training of a character model.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "language/char_lm_size.h"
#include "support/gradient_exchange.h"

namespace stepgate {

struct CharLmParallelSize {
  /// batch.batch_size is the global batch: the rows of all ranks and micro-steps of one step together.
  CharLmSize model;
  ExchangeOptions exchange;
  std::int64_t micro_steps = 1;  ///< backward passes whose gradients accumulate before the optimizer's step
  bool sync_each = false;        ///< gradients are exchanged after each micro-step, not only after the last
};

/// `language/char_lm_parallel/tiny`: the model of char_lm/tiny, for two ranks with a CPU thread each.
CharLmParallelSize tiny_char_lm_parallel();

/// `language/char_lm_parallel/full`: the model of char_lm/full, for two GPUs.
CharLmParallelSize full_char_lm_parallel();

/// `language/char_lm_parallel/gpu_small`: the model of char_lm/gpu_small, for two GPUs of 8 GB.
CharLmParallelSize gpu_small_char_lm_parallel();

/// As Case::params: those of CharLmSize, and "bucket_bytes", "overlap", "micro_steps", "sync_each" (the last two
/// switches 0 or 1).
std::map<std::string, std::string> params_of(const CharLmParallelSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid number.
CharLmParallelSize with_params(const CharLmParallelSize& size, const std::map<std::string, std::string>& params);

/// Rows of one rank in one micro-step. Throws std::invalid_argument if the global batch is not divisible by them.
std::int64_t rows_per_micro_step(const CharLmParallelSize& size, std::int64_t ranks);

}  // namespace stepgate
