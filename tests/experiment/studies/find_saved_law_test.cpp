// The law of saved bytes over a program whose steps save what a formula says.
#include "experiment/studies/find_saved_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiment/fake_build.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Four rows of `width` tokens; the numbers of the record are put in by the program.
RunRecord template_record() {
  RunRecord record = valid_record(Group::exact, 0);
  record.counts->per_step = {{"operators_per_step", {7}},
                             {"samples_per_step", {4}},
                             {"padded_tokens_per_step", {424242}},
                             {"saved_bytes_per_step", {777777}}};
  return record;
}

/// Saves 4 * width * (100 + 2 * width) + 4 bytes.
constexpr const char* written_attention = R"sh(
width=${param#*width=}
echo "$group $width" >> "$here/log"
sed "s/424242/$((4 * width))/; s/777777/$((4 * width * (100 + 2 * width) + 4))/" "$here/exact-0.json" > "$record")sh";

SavedLawOptions three_lengths(const FakeBuild& build) {
  return {.case_name = fake_case, .parameters = {"width=16,32,64"}, .host = build.host()};
}

TEST(FindSavedLaw, MeasuresEachSizeOnceAndFindsTheLaw) {
  const FakeBuild build(written_attention);
  build.write_exact_records(template_record());
  Listener listener;
  const SavedLawStudy study = find_saved_law(build.project(), three_lengths(build), listener.caller());
  EXPECT_EQ(build.program().text_of("log"), "exact 16\nexact 32\nexact 64");
  ASSERT_TRUE(study.fit.law) << study.fit.reason;
  EXPECT_EQ(*study.fit.law, (SavedLaw{.per_token = 100, .growth = 2, .fixed = 4, .sizes = 3, .checked = 0}));
  EXPECT_EQ(study.parameters, std::vector<std::string>{"width"});
  ASSERT_THAT(study.settings, SizeIs(3));
  EXPECT_EQ(study.settings[1].steps, (std::vector<SavedStep>{{4, 32, 4 * 32 * 164 + 4}}));
  EXPECT_EQ(listener.progress().back().planned, 3);
}

TEST(FindSavedLaw, ASizeThatFailsTakesNoPart) {
  const FakeBuild build(std::string("case $param in *=32) exit 3 ;; esac") + written_attention);
  build.write_exact_records(template_record());
  Listener listener;
  const SavedLawStudy study = find_saved_law(build.project(), three_lengths(build), listener.caller());
  EXPECT_FALSE(study.settings[1].failure.empty());
  EXPECT_FALSE(study.fit.law);
  EXPECT_EQ(study.fit.reason, "2 lengths of sequences: a law needs three");
}

TEST(FindSavedLaw, ACaseWithoutTokensSaysSo) {
  const FakeBuild build("good");
  RunRecord record = template_record();
  record.counts->per_step["padded_tokens_per_step"] = {0};
  build.write_exact_records(record);
  Listener listener;
  const SavedLawStudy study = find_saved_law(build.project(), three_lengths(build), listener.caller());
  EXPECT_THAT(study.settings[0].failure, HasSubstr("declares no tokens"));
}

TEST(FindSavedLaw, AnUndeclaredParameterIsRefusedBeforeAnythingRuns) {
  const FakeBuild build(written_attention);
  Listener listener;
  SavedLawOptions options = three_lengths(build);
  options.parameters = {"lenght=16,32,64"};
  EXPECT_THROW(find_saved_law(build.project(), options, listener.caller()), Error);
  EXPECT_EQ(build.processes(), 0);
}

TEST(FindSavedLaw, AnInterruptionKeepsWhatWasMeasured) {
  const FakeBuild build(written_attention);
  build.write_exact_records(template_record());
  Listener listener(build, 1);
  const SavedLawStudy study = find_saved_law(build.project(), three_lengths(build), listener.caller());
  EXPECT_TRUE(study.interrupted);
  EXPECT_THAT(study.settings, SizeIs(1));
}

}  // namespace
}  // namespace stepgate
