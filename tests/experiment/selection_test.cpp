// Which cases of a manifest an experiment works on.
#include "experiment/plan/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Manifest three_cases() {
  Manifest manifest;
  manifest.cases = {
      {.name = "language/char_lm/tiny", .suite = "language", .program = "p", .device = Device::cpu},
      {.name = "vision/digits_cnn/tiny", .suite = "vision", .program = "p", .device = Device::cpu},
      {.name = "micro/copy/plain", .suite = "micro", .program = "p", .device = Device::cpu, .benchmark = "BM_Copy"}};
  return manifest;
}

std::vector<std::string> names_of(const std::vector<ManifestCase>& cases) {
  std::vector<std::string> names;
  for (const ManifestCase& entry : cases) names.push_back(entry.name);
  return names;
}

std::string remedy_of(const Selection& selection) {
  try {
    select_cases(three_cases(), selection);
  } catch (const Error& error) {
    return error.remedy();
  }
  return "nothing thrown";
}

TEST(Selection, TakesAllInManifestOrderUnlessToldOtherwise) {
  EXPECT_THAT(select_cases(three_cases(), {}), SizeIs(3));
  EXPECT_THAT(names_of(select_cases(three_cases(), {.names = {"vision/digits_cnn/tiny", "language/char_lm/tiny"}})),
              ElementsAre("language/char_lm/tiny", "vision/digits_cnn/tiny"));
}

TEST(Selection, ACaseHasToBeNamedAndToMatch) {
  EXPECT_THAT(names_of(select_cases(three_cases(), {.globs = {"vision/*", "micro/*"}})),
              ElementsAre("vision/digits_cnn/tiny", "micro/copy/plain"));
  EXPECT_THAT(names_of(select_cases(three_cases(),
                                    {.names = {"micro/copy/plain", "language/char_lm/tiny"}, .globs = {"micro/*"}})),
              ElementsAre("micro/copy/plain"));
}

TEST(Selection, RefusesAnUnknownNameWithTheNearestOne) {
  EXPECT_THAT(remedy_of({.names = {"vision/digits_cnn/tini"}}), HasSubstr("did you mean 'vision/digits_cnn/tiny'?"));
  EXPECT_THAT(remedy_of({.globs = {"audio/*"}}), HasSubstr("stepgate list"));
}

TEST(Selection, TheFirstPartsOfNamesGetThePatternThatSelectsThem) {
  EXPECT_THAT(remedy_of({.names = {"vision"}}), HasSubstr("--filter 'vision/*'"));
  EXPECT_THAT(remedy_of({.names = {"vision/"}}), HasSubstr("--filter 'vision/*'"));
  EXPECT_THAT(remedy_of({.names = {"language/char_lm"}}), HasSubstr("--filter 'language/char_lm/*'"));
  EXPECT_THAT(remedy_of({.names = {"visio"}}), Not(HasSubstr("--filter")));
  try {
    case_named(three_cases(), "vision");
    FAIL() << "it names no case";
  } catch (const Error& error) {
    EXPECT_THAT(error.remedy(), Not(HasSubstr("--filter"))) << "the commands of one case do not take it";
  }
}

TEST(Selection, LeavesPlainBenchmarksOutOfTheExactTierWithANotice) {
  const MeasurableCases exact = measurable_cases(three_cases(), {}, TierChoice::exact);
  EXPECT_THAT(names_of(exact.cases), ElementsAre("language/char_lm/tiny", "vision/digits_cnn/tiny"));
  ASSERT_THAT(exact.notices, SizeIs(1));
  EXPECT_THAT(exact.notices.front().text, HasSubstr("micro/copy/plain has no exact half"));
  EXPECT_THAT(measurable_cases(three_cases(), {}, TierChoice::timed).notices, IsEmpty());
  EXPECT_THROW(measurable_cases(three_cases(), {.names = {"micro/copy/plain"}}, TierChoice::exact), Error);
}

TEST(Selection, LeavesCasesWhoseTimesAreNotGatedOutOfATimedGateWithANotice) {
  Manifest manifest = three_cases();
  manifest.cases[0].gates_times = false;
  const MeasurableCases timed = gated_cases(manifest, {}, TierChoice::timed);
  EXPECT_THAT(names_of(timed.cases), ElementsAre("vision/digits_cnn/tiny", "micro/copy/plain"));
  ASSERT_THAT(timed.notices, SizeIs(1));
  EXPECT_THAT(timed.notices.front().text, HasSubstr("language/char_lm/tiny has no gated times (declared TIERS exact"));
  EXPECT_THROW(gated_cases(manifest, {.names = {"language/char_lm/tiny"}}, TierChoice::timed), Error);
  EXPECT_THAT(gated_cases(manifest, {}, TierChoice::all).cases, SizeIs(3));
  EXPECT_THAT(measurable_cases(manifest, {}, TierChoice::timed).cases, SizeIs(3)) << "pairs compare its times";
}

TEST(Selection, AGateOfBothHalvesJudgesTheExactOneWhereTimesAreNotGated) {
  const ManifestCase both = three_cases().cases.front();
  ManifestCase exact = both;
  exact.gates_times = false;
  EXPECT_EQ(gated_half(TierChoice::all, exact), TierChoice::exact);
  EXPECT_EQ(gated_half(TierChoice::exact, exact), TierChoice::exact);
  EXPECT_EQ(gated_half(TierChoice::all, both), TierChoice::all);
}

}  // namespace
}  // namespace stepgate
