// Random numbers for augmentation and shuffling that are a function of (seed, epoch, sample, purpose) and nothing
// else. No generator, no state: whichever worker makes a sample, and whenever, it draws the same.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate {

/// Which sample of which epoch: all that a loader worker is told.
struct SampleKey {
  std::int64_t epoch = 0;
  std::int64_t index = 0;  ///< from 0 to the samples of an epoch - 1

  bool operator==(const SampleKey&) const = default;
};

/// The draws of one sample.
class SampleDraws {
 public:
  SampleDraws(std::uint64_t seed, const SampleKey& key);

  /// A whole number from `low` to `high`, both included. One purpose gives one number, however often it is asked for;
  /// different purposes are independent. The bias is at most (high - low + 1) / 2^32.
  /// Throws std::invalid_argument for high < low or more than 2^32 numbers.
  std::int64_t whole(std::uint64_t purpose, std::int64_t low, std::int64_t high) const;

 private:
  std::uint64_t state_;
};

/// 0 to count - 1 in the order of an epoch: a Fisher-Yates shuffle, another one for each (seed, epoch).
std::vector<std::int64_t> shuffled_indices(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

}  // namespace stepgate
