// Batches of variable-length samples, padded as a language model's loader pads them.
//
// A sample is a paragraph of the text (what stands between blank lines); one that is longer than the model's context
// is cut into as many whole lines as fit, so lengths vary as they do in real text. Samples of like length are batched
// together: lengths fall into buckets of `bucket_width`, a batch draws from one bucket and is padded to that bucket's
// upper end, so there are as many shapes as buckets.
//
// Which bucket comes when is a fixed rhythm of five batches, bucket_rhythm below. So every shape is seen within five
// steps and twice within ten, any ten steps in a row do the same work, and the median step is one of the longest shape.
// What a batch draws depends on (seed, step, sample) only, never on a generator's state or on how often it was asked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/text_corpus.h"

namespace stepgate {

struct BatchShape {
  std::int64_t batch_size = 8;
  std::int64_t max_length = 64;    ///< tokens of the longest shape, a multiple of bucket_width
  std::int64_t bucket_width = 16;  ///< padded lengths are multiples of it
};

/// How many buckets below the longest one each batch of the rhythm is: three shapes at most.
inline constexpr std::array<std::int64_t, 5> bucket_rhythm = {0, 1, 0, 2, 0};

/// One batch, row by row: rows x length symbols.
struct TokenBatch {
  std::int64_t rows = 0;
  std::int64_t length = 0;            ///< padded length of every row
  std::int64_t effective_tokens = 0;  ///< targets that are not padding
  std::vector<std::int64_t> inputs;   ///< symbols, padding_symbol behind the end of a sample
  std::vector<std::int64_t> targets;  ///< the symbol that follows each input, ignored_target behind the end
};

/// Rows of a batch: what one of several ranks takes of it.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// cross_entropy's ignore_index: padding carries no loss.
inline constexpr std::int64_t ignored_target = -100;

class TokenBatches {
 public:
  /// Throws DataError where a bucket of the rhythm has no sample, std::invalid_argument for an impossible shape.
  TokenBatches(const TextCorpus& corpus, BatchShape shape, std::uint64_t seed);

  /// The batch of a step >= 0. Equal for equal (corpus, shape, seed, step).
  TokenBatch at(std::int64_t step) const { return rows_at(step, {.first = 0, .count = shape_.batch_size}); }

  /// Some rows of that batch, padded as all of it.
  TokenBatch rows_at(std::int64_t step, RowRange rows) const;

  /// Of all of its rows.
  std::int64_t effective_tokens_at(std::int64_t step) const;

 private:
  void add_sample(std::string_view characters);
  std::int64_t bucket_at(std::int64_t step) const;
  std::string_view draw(std::int64_t bucket, std::int64_t step, std::int64_t row) const;

  BatchShape shape_;
  std::uint64_t seed_;
  std::vector<std::vector<std::string>> buckets_;  ///< by padded length / bucket_width - 1
};

}  // namespace stepgate
