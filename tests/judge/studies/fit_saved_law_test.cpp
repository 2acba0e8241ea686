#include "judge/studies/fit_saved_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// What a step of these sizes saves by the law itself.
std::vector<SavedStep> steps_by(const SavedLaw& law, const std::vector<std::int64_t>& rows,
                                const std::vector<std::int64_t>& lengths) {
  std::vector<SavedStep> steps;
  for (const std::int64_t length : lengths) {
    for (const std::int64_t each : rows) steps.push_back({each, length, saved_bytes(law, each, length)});
  }
  return steps;
}

TEST(SavedLaw, IsFoundFromThreeLengths) {
  // Four blocks of width 64 with four heads, attention written out; the loss keeps four bytes more.
  const SavedLaw law{.per_token = 17104, .growth = 64, .fixed = 4};
  const auto fit = fit_saved_law(steps_by(law, {4}, {32, 64, 128}));
  ASSERT_TRUE(fit.law) << fit.reason;
  EXPECT_EQ(fit.law->per_token, 17104);
  EXPECT_EQ(fit.law->growth, 64);
  EXPECT_EQ(fit.law->fixed, 4);
  EXPECT_EQ(fit.law->sizes, 3);
  EXPECT_EQ(fit.law->checked, 0);
}

TEST(SavedLaw, SaysThatFusedAttentionDoesNotGrow) {
  const auto fit = fit_saved_law(steps_by({.per_token = 17168, .fixed = 4}, {2, 4}, {16, 32, 64, 256}));
  ASSERT_TRUE(fit.law) << fit.reason;
  EXPECT_EQ(fit.law->growth, 0);
  EXPECT_EQ(fit.law->per_token, 17168);
  EXPECT_EQ(fit.law->sizes, 8);
  EXPECT_EQ(fit.law->checked, 5);
}

TEST(SavedLaw, KnowsWhatEachRowKeepsAtAnyLength) {
  const SavedLaw law{.per_token = 9168, .per_row = 1024, .fixed = 4};
  const auto fit = fit_saved_law(steps_by(law, {4, 8}, {32, 48, 64}));
  ASSERT_TRUE(fit.law) << fit.reason;
  EXPECT_EQ(fit.law->per_token, law.per_token);
  EXPECT_EQ(fit.law->growth, 0);
  EXPECT_EQ(fit.law->per_row, law.per_row);
  EXPECT_EQ(fit.law->fixed, law.fixed);
  EXPECT_EQ(fit.law->checked, 2);
}

TEST(SavedLaw, KnowsWhatRowsShare) {
  const SavedLaw law{.per_token = 996, .growth = 8, .per_position = 8, .per_pair = 3, .fixed = 20};
  const auto fit = fit_saved_law(steps_by(law, {1, 3, 8}, {16, 32, 64, 128}));
  ASSERT_TRUE(fit.law) << fit.reason;
  EXPECT_EQ(fit.law->per_token, law.per_token);
  EXPECT_EQ(fit.law->growth, law.growth);
  EXPECT_EQ(fit.law->per_position, law.per_position);
  EXPECT_EQ(fit.law->per_pair, law.per_pair);
  EXPECT_EQ(fit.law->fixed, law.fixed);
}

TEST(SavedLaw, HoldsToTheByteAtTheSizesOfLargeModels) {
  const SavedLaw law{.per_token = 1'234'567, .growth = 4096, .fixed = 12};
  const auto fit = fit_saved_law(steps_by(law, {8, 32}, {512, 1024, 2048, 4096}));
  ASSERT_TRUE(fit.law) << fit.reason;
  EXPECT_EQ(saved_bytes(*fit.law, 32, 4096), saved_bytes(law, 32, 4096));
}

TEST(SavedLaw, OneByteMoreInOneStepIsNoLaw) {
  auto steps = steps_by({.per_token = 17168, .fixed = 4}, {2, 4}, {16, 32, 64, 256});
  ++steps[3].bytes;
  const auto fit = fit_saved_law(steps);
  EXPECT_FALSE(fit.law);
  EXPECT_THAT(fit.reason, HasSubstr("all 8 sizes"));
}

TEST(SavedLaw, EqualSizesThatSaveDifferentlyAreNoLaw) {
  auto steps = steps_by({.per_token = 17168}, {2}, {16, 32, 64});
  steps.push_back({2, 32, steps[1].bytes + 8});
  EXPECT_THAT(fit_saved_law(steps).reason, HasSubstr("2 x 32 tokens save"));
}

TEST(SavedLaw, TwoLengthsAreTooFew) {
  const auto fit = fit_saved_law(steps_by({.per_token = 17168}, {1, 2, 3, 4}, {16, 32}));
  EXPECT_FALSE(fit.law);
  EXPECT_EQ(fit.reason, "2 lengths of sequences: a law needs three");
  EXPECT_FALSE(fit_saved_law({}).law);
}

TEST(SavedLaw, SaysHowManyRowsFit) {
  const SavedLaw law{.per_token = 100, .growth = 1, .fixed = 4};
  EXPECT_EQ(most_rows(law, 10, 4 + 3 * 1100), 3);
  EXPECT_EQ(most_rows(law, 10, 3 + 3 * 1100), 2);
  EXPECT_EQ(most_rows(law, 10, 3), 0);
  EXPECT_EQ(most_rows({.fixed = 4}, 10, 100), std::nullopt);
}

RunRecord record_of(std::vector<std::int64_t> samples, std::vector<std::int64_t> tokens,
                    std::vector<std::int64_t> bytes) {
  RunRecord record;
  record.counts.emplace();
  record.counts->per_step = {{"samples_per_step", std::move(samples)},
                             {"padded_tokens_per_step", std::move(tokens)},
                             {"saved_bytes_per_step", std::move(bytes)}};
  return record;
}

TEST(SavedSteps, AreReadFromARecord) {
  EXPECT_EQ(saved_steps(record_of({2, 4}, {32, 128}, {100, 400})),
            (std::vector<SavedStep>{{2, 16, 100}, {4, 32, 400}}));
}

TEST(SavedSteps, SayWhatIsMissing) {
  EXPECT_THROW(saved_steps(record_of({2}, {0}, {100})), Error) << "a case without tokens";
  EXPECT_THROW(saved_steps(record_of({2}, {33}, {100})), Error) << "rows of unequal length";
  RunRecord absent = record_of({2}, {32}, {100});
  absent.counts->per_step.erase("saved_bytes_per_step");
  absent.absent["saved_bytes_per_step"] = "autograd's own engine runs here";
  try {
    saved_steps(absent);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("autograd's own engine"));
  }
}

}  // namespace
}  // namespace stepgate
