#include "core/text/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LastLines, KeepTheEndOfALongText) {
  EXPECT_THAT(last_lines("a\nb\nc", 2), ElementsAre("b", "c"));
  EXPECT_THAT(last_lines("a\nb\nc", 3), ElementsAre("a", "b", "c"));
}

TEST(LastLines, ALineEndAtTheEndBeginsNoLine) {
  EXPECT_THAT(last_lines("a\n\nb\n", 9), ElementsAre("a", "", "b"));
  EXPECT_THAT(last_lines("", 9), IsEmpty());
}

TEST(OnOneLine, ControlCharactersBecomeSpaces) { EXPECT_EQ(on_one_line("a\r\nb\tc\x7f\u00e9"), "a  b c \u00e9"); }

}  // namespace
}  // namespace stepgate
