#include "report/text/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;

TEST(TextTable, AlignsByColumnsNotBytes) {
  EXPECT_THAT(table_of({{"name", "µs"}, {"é", "12"}}, {Align::left, Align::right}),
              ElementsAre("name  µs", "é     12"));
  EXPECT_THAT(table_of({{"a", "1"}, {"b", "100"}}, {Align::left, Align::right}), ElementsAre("a    1", "b  100"));
}

TEST(TextTable, AnEmptyColumnTakesNoRoom) {
  EXPECT_THAT(table_of({{"a", "", "c"}, {"d", "", ""}}, {Align::left, Align::left, Align::left}),
              ElementsAre("a  c", "d"));
}

TEST(TextTable, NoRowsAreNoLines) { EXPECT_TRUE(table_of({}, {Align::left}).empty()); }

}  // namespace
}  // namespace stepgate
