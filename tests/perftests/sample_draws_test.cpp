#include "support/sample_draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "support/mixed_bits.h"

namespace stepgate {
namespace {

TEST(MixedBits, IsSplitMix64) {
  // The first outputs of the reference implementation (Vigna) for the state 0: its state grows by the same constant.
  EXPECT_EQ(mixed_bits(0), 0xe220a8397b1dcdafU);
  EXPECT_EQ(mixed_bits(0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
}

TEST(SampleDraws, DependOnEachPartOfTheirPlaceAndOnNothingElse) {
  constexpr std::int64_t most = 1'000'000'000;
  const std::int64_t value = SampleDraws(1, {2, 3}).whole(4, 0, most);
  EXPECT_EQ(SampleDraws(1, {2, 3}).whole(4, 0, most), value);
  EXPECT_NE(SampleDraws(9, {2, 3}).whole(4, 0, most), value);
  EXPECT_NE(SampleDraws(1, {9, 3}).whole(4, 0, most), value);
  EXPECT_NE(SampleDraws(1, {2, 9}).whole(4, 0, most), value);
  EXPECT_NE(SampleDraws(1, {2, 3}).whole(9, 0, most), value);
  EXPECT_NE(SampleDraws(1, {3, 2}).whole(4, 0, most), value) << "epoch and index are told apart";
}

TEST(SampleDraws, EveryNumberOfTheRangeComesEquallyOften) {
  std::array<int, 7> seen{};
  constexpr int draws = 70'000;
  for (std::int64_t i = 0; i < draws; ++i) {
    const std::int64_t value = SampleDraws(5, {i / 1000, i % 1000}).whole(0, -3, 3);
    ASSERT_GE(value, -3);
    ASSERT_LE(value, 3);
    ++seen[static_cast<std::size_t>(value + 3)];
  }
  double chi_squared = 0;
  for (const int count : seen) chi_squared += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_squared, 16.8);  // 99 % of chi squared with 6 degrees of freedom; the draws are fixed
}

TEST(SampleDraws, RangesEndWhereTheySay) {
  const SampleDraws draws(1, {0, 0});
  EXPECT_EQ(draws.whole(0, 5, 5), 5);
  EXPECT_NO_THROW(draws.whole(0, 0, (std::int64_t{1} << 32) - 1));
  EXPECT_THROW(draws.whole(0, 0, std::int64_t{1} << 32), std::invalid_argument);
  EXPECT_THROW(draws.whole(0, 1, 0), std::invalid_argument);
}

TEST(ShuffledIndices, AreAPermutationOfTheirOwnForEachSeedAndEpoch) {
  const auto order = shuffled_indices(50, 1, 0);
  EXPECT_EQ(std::set(order.begin(), order.end()).size(), 50U);
  EXPECT_EQ(*std::ranges::max_element(order), 49);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  EXPECT_EQ(shuffled_indices(50, 1, 0), order);
  EXPECT_NE(shuffled_indices(50, 1, 1), order);
  EXPECT_NE(shuffled_indices(50, 2, 0), order);
  EXPECT_TRUE(shuffled_indices(0, 1, 0).empty());
}

TEST(ShuffledIndices, EveryPlaceCanTakeEveryIndex) {
  std::array<std::array<int, 4>, 4> seen{};
  for (std::int64_t epoch = 0; epoch < 4000; ++epoch) {
    const auto order = shuffled_indices(4, 7, epoch);
    for (std::size_t place = 0; place < 4; ++place) ++seen[place][static_cast<std::size_t>(order[place])];
  }
  for (const auto& place : seen) {
    for (const int count : place) EXPECT_NEAR(count, 1000, 110);  // four standard deviations; the draws are fixed
  }
}

}  // namespace
}  // namespace stepgate
