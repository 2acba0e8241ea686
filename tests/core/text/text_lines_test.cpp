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

TEST(LastLines, FramesOfAStackDoNotPushTheMessageOut) {
  const std::string printed = "step 3\nwhat():  CUDA error\nraised from record\nframe #0: a\nframe #1: b\n\n";
  EXPECT_THAT(last_lines_without_frames(printed, 2), ElementsAre("what():  CUDA error", "raised from record"));
  EXPECT_THAT(last_lines_without_frames("the frame #1 is late\n", 2), ElementsAre("the frame #1 is late"));
  EXPECT_THAT(last_lines_without_frames("frame #0: a\nframe #1: b\n", 1), ElementsAre("frame #1: b"));
  EXPECT_THAT(last_lines_without_frames("", 1), IsEmpty());
}

TEST(OnOneLine, ControlCharactersBecomeSpaces) { EXPECT_EQ(on_one_line("a\r\nb\tc\x7f\u00e9"), "a  b c \u00e9"); }

}  // namespace
}  // namespace stepgate
