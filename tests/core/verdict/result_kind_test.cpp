#include "core/verdict/result_kind.h"

#include <gtest/gtest.h>

#include <set>

namespace stepgate {
namespace {

TEST(ResultKind, EachNameStandsForOneKind) {
  std::set<std::string_view> names;
  for (const NamedResultKind& row : named_result_kinds) {
    names.insert(row.name);
    EXPECT_EQ(name_of(row.kind), row.name);
    EXPECT_EQ(result_kind_named(row.name), row.kind);
  }
  EXPECT_EQ(names.size(), named_result_kinds.size());
}

TEST(ResultKind, AHalfOfTheGateHasTheNameOfTheHalf) {
  for (TierChoice half : {TierChoice::exact, TierChoice::timed, TierChoice::all})
    EXPECT_EQ(name_of(ResultKind{.half = half}), name_of(half));
}

TEST(ResultKind, AnUnknownNameIsAbsent) {
  EXPECT_EQ(result_kind_named(""), std::nullopt);
  EXPECT_EQ(result_kind_named("both"), std::nullopt);
}

}  // namespace
}  // namespace stepgate
