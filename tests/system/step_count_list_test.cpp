#include "system/step_count_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Message and remedy of the refusal of the text.
std::string steps_refusal(const std::string& text, const std::string& flag = "--steps") {
  try {
    read_step_counts(text, flag);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "accepted";
}

TEST(StepCountList, ReadsCountsByName) {
  EXPECT_EQ(read_step_counts("e2e=60,window=10,exact_warmup=0", "--steps"),
            (NamedSteps{{"e2e", 60}, {"window", 10}, {"exact_warmup", 0}}));
  EXPECT_EQ(read_step_counts("", "--steps"), NamedSteps{});
}

TEST(StepCountList, WritesWhatItReads) {
  const NamedSteps steps = {{"counts", 8}, {"e2e", 60}, {"exact_warmup", 0}};
  EXPECT_EQ(text_of(steps), "counts=8,e2e=60,exact_warmup=0");
  EXPECT_EQ(read_step_counts(text_of(steps), "--steps"), steps);
  EXPECT_EQ(text_of(NamedSteps{}), "");
}

TEST(StepCountList, RefusesCountsThatNoPassCouldRun) {
  EXPECT_THAT(steps_refusal("e2e=0"), HasSubstr("e2e=0 is too few | give at least 1"));
  EXPECT_THAT(steps_refusal("phase=-3"), HasSubstr("phase=-3 is too few"));
  EXPECT_THAT(steps_refusal("exact_warmup=-1"), HasSubstr("exact_warmup=-1 is too few | give at least 0"));
  EXPECT_THAT(steps_refusal("e2e=10000001"), HasSubstr("e2e=10000001 is too many | give at most 10000000"));
}

TEST(StepCountList, CutsWhatItQuotes) { EXPECT_LT(steps_refusal(std::string(5000, 'x')).size(), 400U); }

TEST(StepCountList, RefusesWhatItCannotRead) {
  EXPECT_THAT(steps_refusal("windows=3"), HasSubstr("there is no step count 'windows' | did you mean 'window'?"));
  EXPECT_THAT(steps_refusal("xyzzy=3"), HasSubstr("| known: e2e, window, requests, "));
  EXPECT_THAT(steps_refusal("e2e"), HasSubstr("'e2e' is not <name>=<whole number>"));
  EXPECT_THAT(steps_refusal("e2e=1.5"), HasSubstr("'e2e=1.5' is not"));
  EXPECT_THAT(steps_refusal("e2e=20,,window=5"), HasSubstr("there is no step count ''"));
  EXPECT_THAT(steps_refusal("e2e=20,e2e=30"), HasSubstr("e2e is given twice"));
}

TEST(StepCountList, NamesTheFlagThatWasGiven) {
  EXPECT_THAT(steps_refusal("e2e=0", "--steps"), StartsWith("--steps: "));
  EXPECT_THAT(steps_refusal("e2e=0", "--stepgate_steps"), StartsWith("--stepgate_steps: "));
}

}  // namespace
}  // namespace stepgate
