#include "core/verdict/any_finding_code.h"

#include <gtest/gtest.h>

#include <set>

namespace stepgate {
namespace {

TEST(FindingCodes, HaveNamesOfTheirOwnInSmallLettersAndDashes) {
  std::set<std::string_view> names;
  for (const FindingCodeRow& row : finding_code_rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos) << row.name;
    EXPECT_FALSE(row.says.empty()) << row.name;
  }
}

TEST(FindingCodes, AreFoundByTheirNames) {
  for (const FindingCodeRow& row : finding_code_rows) EXPECT_EQ(finding_code_named(row.name), row.code) << row.name;
  EXPECT_EQ(finding_code_named(""), std::nullopt);
  EXPECT_EQ(finding_code_named("no such code"), std::nullopt);
}

TEST(FindingCodes, OnlyANoteIsAnObservation) {
  for (const FindingCodeRow& row : finding_code_rows) {
    const bool observation = row.nature == FindingNature::observation;
    EXPECT_TRUE(!observation || row.highest == Severity::note) << row.name;
  }
}

TEST(AnyFindingCode, OfAStoredNameIsTheRowOfTheTable) {
  for (const FindingCodeRow& row : finding_code_rows) {
    const AnyFindingCode code = AnyFindingCode::named(row.name);
    EXPECT_EQ(code, row.code) << row.name;
    EXPECT_EQ(name_of(code), row.name);
    EXPECT_TRUE(code.is(row.nature)) << row.name;
  }
}

TEST(AnyFindingCode, AnUnknownNameIsKeptAndTakesPartInNoDecision) {
  const AnyFindingCode code = AnyFindingCode::named("of-a-later-version");
  EXPECT_EQ(name_of(code), "of-a-later-version");
  EXPECT_EQ(code, AnyFindingCode::named("of-a-later-version"));
  EXPECT_NE(code, AnyFindingCode::named("of-another-version"));
  for (const FindingCodeRow& row : finding_code_rows) {
    EXPECT_NE(code, row.code) << row.name;
    EXPECT_FALSE(code.is(row.nature)) << row.name;
  }
}

}  // namespace
}  // namespace stepgate
