#include "report/studies/saved_law_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

SavedLawStudy growing() {
  SavedLawStudy study;
  study.case_name = "suite/lm/tiny";
  study.parameters = {"length"};
  study.settings = {{.values = {"32"}, .steps = {{2, 32, 1'225'732}, {2, 32, 1'225'732}}},
                    {.values = {"16"}, .steps = {{2, 16, 580'100}}},
                    {.values = {"64"}, .failure = "out of memory"}};
  study.fit.law = SavedLaw{.per_token = 17'104, .growth = 64, .fixed = 4, .sizes = 3, .checked = 0};
  return study;
}

TEST(SavedLawReport, SaysTheLaw) {
  EXPECT_EQ(law_text({.per_token = 17'168, .fixed = 4}),
            "saved bytes per token = 17 168 + 0 T exactly, and 4 bytes a step");
  EXPECT_EQ(law_text({.per_token = 5, .growth = 2, .per_position = 8, .per_pair = 3}),
            "saved bytes per token = 5 + 2 T exactly, and 8 T bytes a step, and 3 T^2 bytes a step");
}

TEST(SavedLawReport, ListsEachSizeOnceFewestBytesFirst) {
  const std::string text = render_saved_law(growing(), {});
  EXPECT_THAT(text, HasSubstr("setting    rows  length T  saved bytes  per token"));
  EXPECT_LT(text.find("length=16"), text.find("length=32"));
  EXPECT_EQ(text.find("length=32"), text.rfind("length=32"));
  EXPECT_THAT(text, HasSubstr("length=64: out of memory"));
  EXPECT_THAT(text, HasSubstr("holds for 3 sizes to the byte, 0 of them beyond those that it was found from"));
}

TEST(SavedLawReport, SaysWhyThereIsNone) {
  SavedLawStudy study = growing();
  study.fit = {{}, "2 lengths of sequences: a law needs three"};
  const std::string text = render_saved_law(study, {.memory_bytes = 5, .most_growth = 0});
  EXPECT_THAT(text, HasSubstr("no such law: 2 lengths of sequences: a law needs three"));
  EXPECT_THAT(text, Not(HasSubstr("largest batch")));
  EXPECT_THAT(text, Not(HasSubstr("growth")));
}

TEST(SavedLawReport, SaysThatNothingWasMeasured) {
  SavedLawStudy study = growing();
  study.settings = {{.values = {"64"}, .failure = "out of memory"}};
  study.fit = {{}, "0 lengths of sequences: a law needs three"};
  const std::string text = render_saved_law(study, {});
  EXPECT_THAT(text, HasSubstr("no setting was measured"));
  EXPECT_THAT(text, Not(HasSubstr("0 lengths")));
}

TEST(SavedLawReport, AnswersWhichBatchFits) {
  const std::string text = render_saved_law(growing(), {.memory_bytes = 4'000'000});
  EXPECT_THAT(text, HasSubstr("fit in 4 000 000 B"));
  // A row of 16 saves 16 * (17 104 + 64 * 16) = 290 048, one of 32 612 864, and one of 64 1 356 800 bytes.
  EXPECT_THAT(text, HasSubstr("length 16: 13 rows"));
  EXPECT_THAT(text, HasSubstr("length 32: 6 rows"));
  EXPECT_THAT(text, HasSubstr("length 64: 2 rows\n")) << "twice the longest that was measured";
}

TEST(SavedLawReport, SaysWhetherItGrowsTooMuch) {
  EXPECT_THAT(render_saved_law(growing(), {.most_growth = 0}), HasSubstr("exceeded"));
  EXPECT_THAT(render_saved_law(growing(), {.most_growth = 64}), HasSubstr("holds\n"));
}

}  // namespace
}  // namespace stepgate
