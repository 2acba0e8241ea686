#include "core/record/batch_lengths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;

std::vector<BatchAmounts> of_lengths(const std::vector<std::int64_t>& lengths) {
  std::vector<BatchAmounts> batches;
  for (const std::int64_t length : lengths) batches.push_back({4, 4 * length, 3 * length});
  return batches;
}

TEST(BatchLengths, FewLengthsHaveABinEach) {
  const auto lengths = batch_lengths(of_lengths({64, 61, 64, 64}));
  ASSERT_TRUE(lengths);
  EXPECT_THAT(lengths->bins, ElementsAre(LengthBin{61, 61, 1}, LengthBin{64, 64, 3}));
  EXPECT_DOUBLE_EQ(lengths->padding_ratio, 0.25);
  EXPECT_EQ(bins_text(*lengths), "1 x 61, 3 x 64");
}

TEST(BatchLengths, ManyLengthsShareEightBins) {
  std::vector<std::int64_t> all;
  for (std::int64_t length = 10; length < 30; ++length) all.push_back(length);
  all.push_back(100);
  const auto lengths = batch_lengths(of_lengths(all));
  ASSERT_TRUE(lengths);
  EXPECT_EQ(bins_text(*lengths), "12 x 10-21, 8 x 22-33, 1 x 94-105") << "91 lengths in bins of 12, none is empty";
}

TEST(BatchLengths, WithoutTokensOrSamplesThereAreNone) {
  EXPECT_FALSE(batch_lengths(std::vector<BatchAmounts>{}));
  EXPECT_FALSE(batch_lengths(std::vector<BatchAmounts>{{4, 0, 0}}));
  EXPECT_FALSE(batch_lengths(std::vector<BatchAmounts>{{0, 64, 64}}));
}

TEST(BatchLengths, ReadTheCountsOfARecordOrABaseline) {
  std::map<std::string, std::vector<std::int64_t>> counts = {
      {"samples_per_step", {4, 2}}, {"padded_tokens_per_step", {64, 64}}, {"effective_tokens_per_step", {48, 64}}};
  EXPECT_EQ(bins_text(batch_lengths(counts).value()), "1 x 16, 1 x 32");
  EXPECT_DOUBLE_EQ(batch_lengths(counts)->padding_ratio, 0.125);
  counts.erase("effective_tokens_per_step");
  EXPECT_FALSE(batch_lengths(counts));
}

}  // namespace
}  // namespace stepgate
