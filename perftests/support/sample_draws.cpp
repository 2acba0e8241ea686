#include "support/sample_draws.h"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "support/mixed_bits.h"

namespace stepgate {
namespace {

/// Far from the small numbers that samples use as purposes.
constexpr std::uint64_t shuffle_purpose = 0x53485546464c45U;

}  // namespace

SampleDraws::SampleDraws(std::uint64_t seed, const SampleKey& key)
    : state_(mixed_bits(mixed_bits(mixed_bits(seed) ^ static_cast<std::uint64_t>(key.epoch)) ^
                        static_cast<std::uint64_t>(key.index))) {}

std::int64_t SampleDraws::whole(std::uint64_t purpose, std::int64_t low, std::int64_t high) const {
  const std::uint64_t numbers = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (high < low || numbers > (std::uint64_t{1} << 32U) || numbers == 0) {
    throw std::invalid_argument("no draw from " + std::to_string(low) + " to " + std::to_string(high));
  }
  // The upper half of the product of 32 random bits with the range (Lemire 2019, without his rejection step).
  const std::uint64_t bits = mixed_bits(state_ ^ purpose) >> 32U;
  return low + static_cast<std::int64_t>((bits * numbers) >> 32U);
}

std::vector<std::int64_t> shuffled_indices(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t last = count - 1; last > 0; --last) {
    const std::int64_t other = SampleDraws(seed, {epoch, last}).whole(shuffle_purpose, 0, last);
    std::swap(order[static_cast<std::size_t>(last)], order[static_cast<std::size_t>(other)]);
  }
  return order;
}

}  // namespace stepgate
