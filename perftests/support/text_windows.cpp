#include "support/text_windows.h"

#include "support/mixed_bits.h"

namespace stepgate {

TextWindows::TextWindows(const TextCorpus& corpus, Shape shape, std::uint64_t seed) : shape_(shape), seed_(seed) {
  for (const std::string& text : corpus.texts) text_ += text;
  if (static_cast<std::int64_t>(text_.size()) > shape.length) return;
  throw DataError("the training text has " + std::to_string(text_.size()) + " characters, a row needs " +
                  std::to_string(shape.length + 1) + ": give it more text");
}

TextWindowBatch TextWindows::at(std::int64_t step) const {
  const std::uint64_t begins = text_.size() - static_cast<std::size_t>(shape_.length);
  TextWindowBatch batch;
  for (std::int64_t row = 0; row < shape_.rows; ++row) {
    const auto number = static_cast<std::uint64_t>(step * shape_.rows + row);
    const std::size_t begin = mixed_bits(mixed_bits(seed_) ^ number) % begins;
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(shape_.length); ++i) {
      batch.inputs.push_back(symbol_of(text_[i]));
      batch.targets.push_back(symbol_of(text_[i + 1]));
    }
  }
  return batch;
}

}  // namespace stepgate
