// Reports and stored files hold the names.
#include "core/verdict/verdict_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace stepgate {
namespace {

using testing::ElementsAre;

std::vector<std::string_view> names_with(bool ReasonRow::*column) {
  std::vector<std::string_view> names;
  for (const ReasonRow& row : reason_rows()) {
    if (row.*column) names.push_back(row.name);
  }
  return names;
}

TEST(VerdictReason, EveryCodeHasOneRowInTheirOrder) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < reason_rows().size(); ++i) {
    const ReasonRow& row = reason_rows()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.code), i) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_TRUE(row.meaning.ends_with('.')) << row.name;
  }
}

TEST(VerdictReason, IsReadFromTheNameOfItsCode) {
  for (const ReasonRow& row : reason_rows()) {
    const VerdictReason read = VerdictReason::named(row.name);
    EXPECT_EQ(read, row.code) << row.name;
    EXPECT_EQ(name_of(read), row.name);
    EXPECT_EQ(name_of(row.code), row.name);
    EXPECT_FALSE(read.empty());
  }
  EXPECT_NE(VerdictReason::named("waived"), ReasonCode::varying);
}

TEST(VerdictReason, KeepsAnUnknownNameAndEqualsNoCode) {
  const std::string name = "Of a later version: \"\xC3\xA9\" ";
  const VerdictReason unknown = VerdictReason::named(name);
  EXPECT_EQ(name_of(unknown), name);
  EXPECT_FALSE(unknown.empty());
  for (const ReasonRow& row : reason_rows()) EXPECT_NE(unknown, row.code) << row.name;
  for (bool ReasonRow::*column : {&ReasonRow::ran_before, &ReasonRow::of_tree, &ReasonRow::not_in_baseline,
                                  &ReasonRow::withholds_red, &ReasonRow::of_limit}) {
    EXPECT_FALSE(unknown.is(column));
  }
  EXPECT_EQ(unknown, VerdictReason::named(name));
  EXPECT_NE(unknown, VerdictReason::named("another"));
}

TEST(VerdictReason, MayBeNone) {
  EXPECT_TRUE(VerdictReason().empty());
  EXPECT_EQ(name_of(VerdictReason()), "");
  EXPECT_EQ(VerdictReason::named(""), VerdictReason());
  for (const ReasonRow& row : reason_rows()) EXPECT_NE(VerdictReason(), row.code) << row.name;
  EXPECT_FALSE(VerdictReason().is(&ReasonRow::of_limit));
}

TEST(VerdictReason, AnswersWhatTheCodeAsksOfIt) {
  EXPECT_THAT(names_with(&ReasonRow::ran_before), ElementsAre("no-longer-available", "outgrew-machine"));
  EXPECT_THAT(names_with(&ReasonRow::of_tree), ElementsAre("incompatible-tree", "incompatible-builds"));
  EXPECT_THAT(names_with(&ReasonRow::not_in_baseline), ElementsAre("new-metric", "not-stored"));
  EXPECT_THAT(names_with(&ReasonRow::withholds_red), ElementsAre("few-sessions", "reference-moved", "no-reference",
                                                                 "clock-moved", "control-moved", "queue-unstable"));
  EXPECT_THAT(names_with(&ReasonRow::of_limit),
              ElementsAre("over-budget", "budget-undecided", "budget-unchecked", "below-floor", "floor-undecided",
                          "floor-unchecked", "rate-unmeasured", "limit-not-judged"));
  EXPECT_TRUE(VerdictReason(ReasonCode::over_budget).is(&ReasonRow::of_limit));
}

}  // namespace
}  // namespace stepgate
