#include "core/undeclared_amounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

const StepValues declared_values = {{"samples_per_step", {4, 4}},
                                    {"padded_tokens_per_step", {64, 64}},
                                    {"effective_tokens_per_step", {0, 48}},
                                    {"padding_tokens_per_step", {64, 16}}};

TEST(UndeclaredAmounts, AnAmountOfSomeStepsIsDeclared) {
  EXPECT_THAT(undeclared_amounts(declared_values), IsEmpty());
  EXPECT_EQ(without_undeclared(declared_values), declared_values);
}

TEST(UndeclaredAmounts, PaddingNeedsBothKindsOfTokens) {
  StepValues values = declared_values;
  values["effective_tokens_per_step"] = {0, 0};
  const auto reasons = undeclared_amounts(values);
  EXPECT_THAT(reasons, ElementsAre(Key("effective_tokens_per_step"), Key("padding_tokens_per_step")));
  EXPECT_THAT(reasons.at("padding_tokens_per_step"), HasSubstr("set Batch::effective_tokens"));
  EXPECT_THAT(without_undeclared(values), ElementsAre(Key("padded_tokens_per_step"), Key("samples_per_step")));
}

TEST(UndeclaredAmounts, OtherCountsOfZeroStay) {
  EXPECT_THAT(undeclared_amounts({{"host_syncs_per_step", {0, 0}}}), IsEmpty());
}

}  // namespace
}  // namespace stepgate
