// How long batches were after padding, and how much of them was padding: a short histogram for people.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// Steps whose batches have from `from` to `to` tokens a sample.
struct LengthBin {
  std::int64_t from = 0;
  std::int64_t to = 0;  ///< inclusive
  std::int64_t steps = 0;

  bool operator==(const LengthBin&) const = default;
};

struct BatchLengths {
  std::vector<LengthBin> bins;  ///< from short to long, at most eight, none without a step
  double padding_ratio = 0;     ///< 1 - effective tokens / padded tokens, of all steps together

  bool operator==(const BatchLengths&) const = default;
};

/// The amounts of one step's batch.
struct BatchAmounts {
  std::int64_t samples = 0;
  std::int64_t padded_tokens = 0;
  std::int64_t effective_tokens = 0;
};

/// The length of a batch is its padded tokens / its samples, rounded. Up to eight different lengths have a bin each,
/// more are put into eight bins of equal width. Absent where a batch has no samples or no tokens, and
/// where none has effective ones.
std::optional<BatchLengths> batch_lengths(const std::vector<BatchAmounts>& batches);

/// Lengths of counted steps, from the metrics samples_per_step, padded_tokens_per_step and effective_tokens_per_step in
/// WorkCounts::per_step or Baseline::exact. Absent where one of them is missing.
std::optional<BatchLengths> batch_lengths(const std::map<std::string, std::vector<std::int64_t>>& per_step);

/// "3 x 61, 2 x 64", with wider bins "3 x 32-47, 1 x 48-63": steps x tokens a sample.
std::string bins_text(const BatchLengths& lengths);

}  // namespace stepgate
