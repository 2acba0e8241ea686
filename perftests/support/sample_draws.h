// Random numbers for augmentation and shuffling, as a pure function of (seed, epoch, sample, purpose). There is no
// state: a sample gets the same numbers from every worker at any time.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate {

/// A sample of an epoch: the whole input of a loader worker.
struct SampleKey {
  std::int64_t epoch = 0;
  std::int64_t index = 0;  ///< from 0 to the samples of an epoch - 1

  bool operator==(const SampleKey&) const = default;
};

/// The draws of one sample.
class SampleDraws {
 public:
  SampleDraws(std::uint64_t seed, const SampleKey& key);

  /// A whole number from `low` to `high`, both included. A purpose always gives the same number; different purposes are
  /// independent. The bias is at most (high - low + 1) / 2^32. Throws std::invalid_argument for high < low or more than
  /// 2^32 numbers.
  std::int64_t whole(std::uint64_t purpose, std::int64_t low, std::int64_t high) const;

 private:
  std::uint64_t state_;
};

/// 0 to count - 1 in the order of an epoch: a Fisher-Yates shuffle, different for each (seed, epoch).
std::vector<std::int64_t> shuffled_indices(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

}  // namespace stepgate
