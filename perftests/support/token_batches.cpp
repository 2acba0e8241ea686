#include "support/token_batches.h"

#include <algorithm>
#include <stdexcept>

#include "support/mixed_bits.h"

namespace stepgate {
namespace {

void check(const BatchShape& shape) {
  const auto deepest = *std::ranges::max_element(bucket_rhythm);
  if (shape.batch_size < 1 || shape.bucket_width < 1 || shape.max_length % shape.bucket_width != 0 ||
      shape.max_length / shape.bucket_width <= deepest) {
    throw std::invalid_argument("batches need batch_size >= 1 and max_length a multiple of bucket_width, at least " +
                                std::to_string(deepest + 1) + " times it; got batch_size " +
                                std::to_string(shape.batch_size) + ", max_length " + std::to_string(shape.max_length) +
                                ", bucket_width " + std::to_string(shape.bucket_width));
  }
}

/// Calls `use` with every paragraph between blank lines, including its last newline.
template <typename Use>
void for_each_paragraph(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    use(text.substr(0, size));
    text.remove_prefix(size);
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  }
}

/// The length of the paragraph's next sample: as many whole lines as fit into `limit`, or a part of one long line.
std::size_t sample_size(std::string_view paragraph, std::size_t limit) {
  if (paragraph.size() <= limit) return paragraph.size();
  const std::size_t newline = paragraph.rfind('\n', limit - 1);
  return newline == std::string_view::npos ? limit : newline + 1;
}

}  // namespace

TokenBatches::TokenBatches(const TextCorpus& corpus, BatchShape shape, std::uint64_t seed)
    : shape_(shape), seed_(seed) {
  check(shape);
  buckets_.resize(static_cast<std::size_t>(shape.max_length / shape.bucket_width));
  // A sample of n characters gives n - 1 pairs of input and target.
  const auto limit = static_cast<std::size_t>(shape.max_length) + 1;
  for (const std::string& text : corpus.texts) {
    for_each_paragraph(text, [&](std::string_view paragraph) {
      while (!paragraph.empty()) {
        const std::size_t size = sample_size(paragraph, limit);
        add_sample(paragraph.substr(0, size));
        paragraph.remove_prefix(size);
      }
    });
  }
  for (const std::int64_t below_longest : bucket_rhythm) {
    if (buckets_[buckets_.size() - 1 - static_cast<std::size_t>(below_longest)].empty()) {
      throw DataError("the training text has no sample of up to " +
                      std::to_string(shape.max_length - below_longest * shape.bucket_width) +
                      " characters; give it more text, or shorter samples");
    }
  }
}

void TokenBatches::add_sample(std::string_view characters) {
  if (characters.size() < 2) return;
  const std::size_t pairs = characters.size() - 1;
  buckets_[(pairs - 1) / static_cast<std::size_t>(shape_.bucket_width)].emplace_back(characters);
}

std::string_view TokenBatches::draw(std::int64_t step, std::int64_t row) const {
  const auto number = static_cast<std::uint64_t>(step * shape_.batch_size + row);
  std::uint64_t drawn = mixed_bits(mixed_bits(seed_) ^ number);
  if (shape_.lengths == BatchLengths::alike) {
    const auto& samples = buckets_[static_cast<std::size_t>(bucket_at(step))];
    return samples[drawn % samples.size()];
  }
  std::uint64_t all = 0;
  for (const auto& samples : buckets_) all += samples.size();
  drawn %= all;
  auto bucket = buckets_.begin();
  for (; drawn >= bucket->size(); ++bucket) drawn -= bucket->size();
  return (*bucket)[drawn];
}

std::int64_t TokenBatches::bucket_at(std::int64_t step) const {
  const auto longest = static_cast<std::int64_t>(buckets_.size()) - 1;
  return longest - bucket_rhythm[static_cast<std::size_t>(step) % bucket_rhythm.size()];
}

std::int64_t TokenBatches::length_at(std::int64_t step) const {
  const std::int64_t width = shape_.bucket_width;
  if (shape_.lengths == BatchLengths::alike) return (bucket_at(step) + 1) * width;
  std::size_t longest = 0;
  for (std::int64_t row = 0; row < shape_.batch_size; ++row) longest = std::max(longest, draw(step, row).size());
  const auto pairs = static_cast<std::int64_t>(longest) - 1;
  return shape_.lengths == BatchLengths::rounded ? (pairs + width - 1) / width * width : pairs;
}

std::int64_t TokenBatches::effective_tokens_at(std::int64_t step) const {
  std::int64_t tokens = 0;
  for (std::int64_t row = 0; row < shape_.batch_size; ++row) {
    tokens += static_cast<std::int64_t>(draw(step, row).size()) - 1;
  }
  return tokens;
}

TokenBatch TokenBatches::rows_at(std::int64_t step, RowRange rows) const {
  TokenBatch batch;
  batch.rows = rows.count;
  batch.length = length_at(step);
  const auto size = static_cast<std::size_t>(batch.rows * batch.length);
  batch.inputs.assign(size, padding_symbol);
  batch.targets.assign(size, ignored_target);
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    const std::string_view sample = draw(step, rows.first + row);
    const auto start = static_cast<std::size_t>(row * batch.length);
    for (std::size_t i = 0; i + 1 < sample.size(); ++i) {
      batch.inputs[start + i] = symbol_of(sample[i]);
      batch.targets[start + i] = symbol_of(sample[i + 1]);
    }
    batch.effective_tokens += static_cast<std::int64_t>(sample.size()) - 1;
  }
  return batch;
}

}  // namespace stepgate
