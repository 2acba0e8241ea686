#include "support/text_windows.h"

#include <gtest/gtest.h>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

constexpr TextWindows::Shape two_rows = {.rows = 2, .length = 16};

TEST(TextWindows, HaveOneShapeAndTargetsThatFollowTheInputs) {
  const TextWindows windows(synthetic_sources(), two_rows, 5);
  for (std::int64_t step = 0; step < 20; ++step) {
    const TextWindowBatch batch = windows.at(step);
    ASSERT_EQ(batch.inputs.size(), 32U);
    ASSERT_EQ(batch.targets.size(), 32U);
    for (std::size_t i = 0; i < 32; ++i) {
      if (i % 16 == 15) continue;
      EXPECT_EQ(batch.targets[i], batch.inputs[i + 1]);
    }
  }
}

TEST(TextWindows, FollowFromSeedAndStepOnly) {
  const TextWindows one(synthetic_sources(), two_rows, 5);
  const auto third = one.at(3).inputs;
  EXPECT_EQ(TextWindows(synthetic_sources(), two_rows, 5).at(3).inputs, third);
  EXPECT_NE(TextWindows(synthetic_sources(), two_rows, 6).at(3).inputs, third);
  EXPECT_NE(one.at(4).inputs, third);
}

TEST(TextWindows, RunOverFromOneTextToTheNext) {
  TextCorpus corpus;
  corpus.texts = {"ab", "c"};
  const TextWindowBatch batch = TextWindows(corpus, {.rows = 1, .length = 2}, 1).at(0);
  EXPECT_EQ(batch.inputs, (std::vector<std::int64_t>{symbol_of('a'), symbol_of('b')}));
  EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{symbol_of('b'), symbol_of('c')}));
  EXPECT_THROW(TextWindows(corpus, {.rows = 1, .length = 3}, 1), DataError);
}

}  // namespace
}  // namespace stepgate
