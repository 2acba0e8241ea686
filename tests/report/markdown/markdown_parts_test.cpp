#include "report/markdown/markdown_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

MarkdownPart text_part(int rank, const std::string& text) {
  return {.rank = rank, .opening = text, .items = {}, .closing = "", .noun = "paragraph", .share = 1};
}

MarkdownPart list_part(int rank, std::size_t count) {
  MarkdownPart part{
      .rank = rank, .opening = "<list>\n", .items = {}, .closing = "</list>\n", .noun = "item", .share = 1};
  for (std::size_t i = 0; i < count; ++i) part.items.push_back("item " + std::string(94, 'x') + "\n");
  return part;
}

TEST(MarkdownParts, KeepTheirOrderWhereEverythingFits) {
  EXPECT_EQ(fitted({text_part(0, "a\n"), text_part(2, "b\n"), text_part(1, "c\n")}, 100, "elsewhere"), "a\nb\nc\n");
}

TEST(MarkdownParts, ExactlyTheLimitIsNotTooLong) {
  EXPECT_EQ(fitted({text_part(0, "aaaa\n"), text_part(1, "bbbb\n")}, 10, "x"), "aaaa\nbbbb\n");
  EXPECT_EQ(fitted({text_part(0, "aaaa\n"), text_part(1, "bbbb\n")}, 9, "x"), "aaaa\n");
}

TEST(MarkdownParts, ALongListLosesItsEndAndKeepsItsFrame) {
  const std::string text = fitted({text_part(0, "verdict\n"), list_part(1, 100)}, 2000, "See verdict.json.");
  EXPECT_LE(text.size(), 2000U);
  EXPECT_GT(text.size(), 1000U);
  EXPECT_THAT(text, StartsWith("verdict\n<list>\nitem "));
  EXPECT_THAT(text, HasSubstr("x\n</list>\n"));
  EXPECT_THAT(text, EndsWith(" items. See verdict.json.\n"));
}

TEST(MarkdownParts, TheLeastImportantPartIsCutFirstInAnyPosition) {
  const std::string text = fitted({text_part(0, "verdict\n"), list_part(9, 20), text_part(1, "command\n")}, 1500, "x");
  EXPECT_THAT(text, HasSubstr("command\n"));
  EXPECT_THAT(text, HasSubstr("Left out, to stay below 1500 bytes: "));
  EXPECT_THAT(fitted({text_part(0, "verdict\n"), list_part(9, 20), text_part(1, "command\n")}, 620, "x"),
              Not(HasSubstr("<list>")));
}

TEST(MarkdownParts, AShareLeavesRoomForTheOthers) {
  MarkdownPart table = list_part(1, 100);
  table.share = 0.5;
  const std::string text = fitted({text_part(0, "v\n"), table, text_part(2, std::string(1000, 'c') + "\n")}, 3000, "x");
  EXPECT_THAT(text, HasSubstr(std::string(1000, 'c')));
  EXPECT_THAT(text, HasSubstr("<list>"));
}

TEST(MarkdownParts, TheVerdictStaysWhateverTheLimit) {
  EXPECT_EQ(fitted({text_part(0, "verdict\n"), list_part(1, 3)}, 0, "x"), "verdict\n");
}

}  // namespace
}  // namespace stepgate
