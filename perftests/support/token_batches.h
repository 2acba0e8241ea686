// Batches of variable-length samples, padded as a language model's loader pads them.
//
// A sample is a paragraph of the text (between blank lines). A paragraph longer than the model's context is cut into as
// many whole lines as fit, so lengths vary as in real text. Samples of similar length are batched together: buckets are
// `bucket_width` wide, and a batch draws from one bucket and is padded to the bucket's upper end. So there are as many
// shapes as buckets.
//
// The buckets follow a fixed rhythm of five batches, bucket_rhythm below. So every shape occurs within five steps and
// twice within ten, any ten consecutive steps do the same work, and the median step has the longest shape. A batch
// depends on (seed, step, sample) only, never on a generator's state or on earlier calls.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/text_corpus.h"

namespace stepgate {

/// Which samples share a batch, and how far it is padded.
enum class BatchLengths {
  alike,    ///< samples of one bucket, padded to its upper end, in the rhythm below
  rounded,  ///< samples of any length, padded to the bucket of the longest one: as many shapes as buckets
  longest   ///< samples of any length, padded to the longest one: nearly each batch has a shape of its own
};

struct BatchShape {
  std::int64_t batch_size = 8;
  std::int64_t max_length = 64;    ///< tokens of the longest shape, a multiple of bucket_width
  std::int64_t bucket_width = 16;  ///< padded lengths are multiples of it
  BatchLengths lengths = BatchLengths::alike;
};

/// For each batch of the rhythm the number of buckets below the longest one: three shapes at most.
inline constexpr std::array<std::int64_t, 5> bucket_rhythm = {0, 1, 0, 2, 0};

/// One batch, row by row: rows x length symbols.
struct TokenBatch {
  std::int64_t rows = 0;
  std::int64_t length = 0;            ///< padded length of every row
  std::int64_t effective_tokens = 0;  ///< targets that are not padding
  std::vector<std::int64_t> inputs;   ///< symbols, padding_symbol after the end of a sample
  std::vector<std::int64_t> targets;  ///< the symbol after each input, ignored_target after the end
};

/// A range of rows of a batch: the part of one of several ranks.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// cross_entropy's ignore_index: padding carries no loss.
inline constexpr std::int64_t ignored_target = -100;

class TokenBatches {
 public:
  /// Throws DataError if a bucket of the rhythm has no sample, std::invalid_argument for an invalid shape.
  TokenBatches(const TextCorpus& corpus, BatchShape shape, std::uint64_t seed);

  /// The batch of a step >= 0. Equal for equal (corpus, shape, seed, step).
  TokenBatch at(std::int64_t step) const { return rows_at(step, {.first = 0, .count = shape_.batch_size}); }

  /// Some rows of that batch, padded like the whole batch.
  TokenBatch rows_at(std::int64_t step, RowRange rows) const;

  /// The effective tokens of all rows.
  std::int64_t effective_tokens_at(std::int64_t step) const;

 private:
  void add_sample(std::string_view characters);
  std::int64_t bucket_at(std::int64_t step) const;
  std::int64_t length_at(std::int64_t step) const;
  std::string_view draw(std::int64_t step, std::int64_t row) const;

  BatchShape shape_;
  std::uint64_t seed_;
  std::vector<std::vector<std::string>> buckets_;  ///< by padded length / bucket_width - 1
};

}  // namespace stepgate
