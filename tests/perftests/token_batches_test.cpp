#include "support/token_batches.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

constexpr BatchShape token_shape = {.batch_size = 4, .max_length = 48, .bucket_width = 16};

TextCorpus corpus_of(const std::string& text) {
  TextCorpus corpus;
  corpus.texts = {text};
  return corpus;
}

TEST(TokenBatches, CountsTokensWithAndWithoutPadding) {
  const TokenBatches batches(synthetic_sources(), token_shape, 1);
  for (std::int64_t step = 0; step < 20; ++step) {
    const TokenBatch batch = batches.at(step);
    ASSERT_EQ(batch.inputs.size(), static_cast<std::size_t>(batch.rows * batch.length));
    ASSERT_EQ(batch.targets.size(), batch.inputs.size());
    std::int64_t real = 0;
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
      EXPECT_EQ(batch.inputs[i] == padding_symbol, batch.targets[i] == ignored_target);
      if (batch.targets[i] != ignored_target) ++real;
    }
    EXPECT_EQ(batch.effective_tokens, real);
    EXPECT_LT(real, batch.rows * batch.length + 1);
    EXPECT_GT(real, batch.rows * (batch.length - token_shape.bucket_width)) << "a row fits into a smaller bucket";
  }
}

/// Padded lengths of 40 batches.
std::set<std::int64_t> lengths_of(BatchLengths lengths) {
  BatchShape shape = token_shape;
  shape.lengths = lengths;
  const TokenBatches batches(synthetic_sources(), shape, 1);
  std::set<std::int64_t> padded;
  for (std::int64_t step = 0; step < 40; ++step) {
    const TokenBatch batch = batches.at(step);
    EXPECT_EQ(batch.effective_tokens, batches.effective_tokens_at(step));
    EXPECT_LE(batch.effective_tokens, batch.rows * batch.length);
    EXPECT_EQ(batches.rows_at(step, {.first = 1, .count = 2}).length, batch.length) << "a part is padded as the whole";
    padded.insert(batch.length);
  }
  return padded;
}

TEST(TokenBatches, OfAnyLengthHaveManyShapesUnlessLengthsAreRounded) {
  const std::set<std::int64_t> rounded = lengths_of(BatchLengths::rounded);
  const std::set<std::int64_t> longest = lengths_of(BatchLengths::longest);
  EXPECT_LE(rounded.size(), 3U);
  for (const std::int64_t length : rounded) EXPECT_EQ(length % token_shape.bucket_width, 0);
  EXPECT_GT(longest.size(), rounded.size());
  EXPECT_LE(*longest.rbegin(), token_shape.max_length);
}

TEST(TokenBatches, TargetsAreTheNextSymbols) {
  // 47 characters that differ from their neighbours: one sample of 46 pairs in the longest bucket.
  const std::string line = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST\n";
  const std::string medium = "abcdefghijklmnopqrstuvwxyz\n";
  const TokenBatches batches(corpus_of(line + "\n" + medium + "\nshort\n"), token_shape, 7);
  const TokenBatch batch = batches.at(0);
  ASSERT_EQ(batch.length, 48);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    EXPECT_EQ(batch.inputs[i], symbol_of(line[i]));
    EXPECT_EQ(batch.targets[i], symbol_of(line[i + 1]));
  }
  EXPECT_EQ(batch.inputs[46], padding_symbol);
  EXPECT_EQ(batch.targets[46], ignored_target);
  EXPECT_EQ(batch.effective_tokens, 4 * 46);
}

TEST(TokenBatches, LongParagraphsAreCutAtLineEnds) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "0123456789012345678\n";  // 20 characters: two lines fit into 49, not three
  const TokenBatches batches(corpus_of(text + "\n" + std::string(25, 'b') + "\n\nccc\n"), token_shape, 7);
  const TokenBatch batch = batches.at(0);
  EXPECT_EQ(batch.effective_tokens, 4 * 39);
  EXPECT_EQ(batch.targets[38], newline_symbol);
}

TEST(TokenBatches, ALineLongerThanTheContextIsCut) {
  const TokenBatches batches(corpus_of(std::string(98, 'x') + "\n\n" + std::string(25, 'b') + "\n\nccc\n"), token_shape,
                             7);
  EXPECT_EQ(batches.at(0).effective_tokens, 4 * 48);
}

TEST(TokenBatches, DrawsDependOnSeedAndStepOnly) {
  const TokenBatches one(synthetic_sources(), token_shape, 1);
  const TokenBatches same(synthetic_sources(), token_shape, 1);
  const TokenBatches other(synthetic_sources(), token_shape, 2);
  static_cast<void>(same.at(3));  // an earlier call changes nothing
  EXPECT_EQ(one.at(10).inputs, same.at(10).inputs);
  EXPECT_EQ(one.at(10).targets, same.at(10).targets);
  EXPECT_NE(one.at(10).inputs, other.at(10).inputs);
  EXPECT_NE(one.at(10).inputs, one.at(15).inputs) << "same token_shape, other samples";
}

TEST(TokenBatches, EveryShapeIsSeenTwiceInTenStepsAndNoOtherComes) {
  const TokenBatches batches(synthetic_sources(), token_shape, 1);
  std::map<std::int64_t, int> early;
  for (std::int64_t step = 0; step < 10; ++step) ++early[batches.at(step).length];
  EXPECT_EQ(early, (std::map<std::int64_t, int>{{16, 2}, {32, 2}, {48, 6}}));
  for (std::int64_t step = 10; step < 200; ++step) EXPECT_TRUE(early.contains(batches.at(step).length));
}

TEST(TokenBatches, AnyTenStepsInARowAreTheSameAmountOfWork) {
  const TokenBatches batches(synthetic_sources(), token_shape, 1);
  for (std::int64_t start = 0; start < 25; ++start) {
    std::int64_t padded = 0;
    for (std::int64_t step = start; step < start + 10; ++step) padded += batches.at(step).length;
    EXPECT_EQ(padded, 6 * 48 + 2 * 32 + 2 * 16) << "from step " << start;
  }
}

TEST(TokenBatches, SaysWhichLengthTheTextLacks) {
  try {
    const TokenBatches batches(corpus_of("short\n"), token_shape, 1);
    FAIL() << "a text without long samples was accepted";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("up to 48 characters"), std::string::npos) << error.what();
  }
}

TEST(TokenBatches, RefusesShapesThatCannotBe) {
  const TextCorpus corpus = synthetic_sources();
  EXPECT_THROW(TokenBatches(corpus, {.batch_size = 0, .max_length = 48, .bucket_width = 16}, 1), std::invalid_argument);
  EXPECT_THROW(TokenBatches(corpus, {.batch_size = 4, .max_length = 50, .bucket_width = 16}, 1), std::invalid_argument);
  EXPECT_THROW(TokenBatches(corpus, {.batch_size = 4, .max_length = 32, .bucket_width = 16}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
