#include "cli/options/option_row.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

namespace stepgate {
namespace {

OptionRow named(std::string_view name) {
  OptionRow row;
  row.name = name;
  return row;
}

TEST(OptionRow, TheChecksOfACommandRunBeforeThoseOfTheRow) {
  std::string order;
  OptionRows rows = {named("tier"), named("rows")};
  rows[1].needs = {[&order] { order += "row "; }};
  add_need(rows, {"rows"}, [&order] { order += "command "; });
  for (const auto& need : rows[1].needs) need();
  EXPECT_EQ(order, "command row ");
  EXPECT_TRUE(rows[0].needs.empty());
  EXPECT_THROW(add_need(rows, {"row"}, [] {}), std::logic_error);
}

TEST(OptionRow, JoinedListsKeepTheirOrder) {
  const OptionRows rows = joined({{named("a"), named("b")}, {}, {named("c")}});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2].name, "c");
}

}  // namespace
}  // namespace stepgate
