// Batches of one shape for a language model: rows of text as long as the model's context, without padding.
//
// A batch depends on (seed, step, row) only, never on a generator's state or on earlier calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/text_corpus.h"

namespace stepgate {

/// One batch, row by row: rows x length symbols.
struct TextWindowBatch {
  std::vector<std::int64_t> inputs;
  std::vector<std::int64_t> targets;  ///< the symbol after each input
};

class TextWindows {
 public:
  struct Shape {
    std::int64_t rows = 8;
    std::int64_t length = 64;
  };

  /// Rows begin anywhere in the corpus, and may run over from one of its texts to the next. Throws DataError if it is
  /// shorter than a row and its last target.
  TextWindows(const TextCorpus& corpus, Shape shape, std::uint64_t seed);

  TextWindowBatch at(std::int64_t step) const;

 private:
  std::string text_;
  Shape shape_;
  std::uint64_t seed_;
};

}  // namespace stepgate
