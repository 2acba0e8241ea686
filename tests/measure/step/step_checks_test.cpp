#include "measure/step/step_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

template <typename Check>
std::string refusal(Check check) {
  try {
    check();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.remedy(), testing::HasSubstr("--stepgate_steps="));
    return error.what();
  }
  return "accepted";
}

TEST(StepChecks, RefusesZeroAndNegativeCountsByName) {
  EXPECT_EQ(refusal([] { require_positive({"phase", 0}); }), "--stepgate_steps: phase=0 must be at least 1");
  EXPECT_EQ(refusal([] { require_positive({"counts", -2}); }), "--stepgate_steps: counts=-2 must be at least 1");
  EXPECT_EQ(refusal([] { require_positive({"phase", 1}); }), "accepted");
}

TEST(StepChecks, AllowsNoExactWarmUpButNotLess) {
  EXPECT_EQ(refusal([] { require_not_negative({"exact_warmup", 0}); }), "accepted");
  EXPECT_EQ(refusal([] {
              require_not_negative({"exact_warmup", -1});
            }),
            "--stepgate_steps: exact_warmup=-1 is negative");
}

TEST(StepChecks, RefusesAShorterLastWindow) {
  EXPECT_EQ(refusal([] {
              require_whole_windows({"e2e", 12}, 10);
            }),
            "--stepgate_steps: e2e=12 is not a multiple of window=10");
  EXPECT_EQ(refusal([] { require_whole_windows({"e2e", 20}, 10); }), "accepted");
}

TEST(StepChecks, RefusesAnEmptyWindow) {
  EXPECT_EQ(refusal([] { require_whole_windows({"e2e", 12}, 0); }), "--stepgate_steps: window=0 must be at least 1");
  EXPECT_EQ(refusal([] { require_whole_windows({"e2e", 0}, 10); }), "--stepgate_steps: e2e=0 must be at least 1");
}

}  // namespace
}  // namespace stepgate
