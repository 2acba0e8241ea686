#include "core/record/evidence_key.h"

#include <gtest/gtest.h>

#include <set>

namespace stepgate {
namespace {

TEST(EvidenceKey, EveryRowHasANameOfItsOwnAUnitAndAMeaning) {
  std::set<std::string_view> names;
  for (const EvidenceRow& row : evidence_rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.unit.empty()) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_EQ(evidence_key_named(row.name), row.key);
  }
}

TEST(EvidenceKey, EveryDefaultLimitSaysWhereItComesFromAndWhatItMeans) {
  for (const EvidenceRow& row : evidence_rows) {
    if (!row.limit) continue;
    EXPECT_GE(row.limit->value, 0) << row.name;
    EXPECT_FALSE(row.limit->origin.empty()) << row.name;
    EXPECT_FALSE(row.limit->reason.empty()) << row.name;
  }
}

TEST(EvidenceKey, AnUnknownNameIsNoKey) { EXPECT_EQ(evidence_key_named("steal_fracton"), std::nullopt); }

}  // namespace
}  // namespace stepgate
