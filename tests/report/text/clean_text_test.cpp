#include "report/text/clean_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(CleanText, TerminalLosesControlsAndKeepsLetters) {
  EXPECT_EQ(terminal_text("a\x1b[2Jb\x07", false), "a?[2Jb?");
  EXPECT_EQ(terminal_text("caf\xc3\xa9\tx\ny", false), "caf\xc3\xa9 x y");
  EXPECT_EQ(terminal_text("caf\xc3\xa9", true), "caf?");
  EXPECT_EQ(terminal_text("a\xc2\x9b"
                          "2J",
                          false),
            "a?2J");  // CSI as one C1 character
  EXPECT_EQ(terminal_text("\xe2\x80\xae"
                          "evil",
                          false),
            "?evil");  // right-to-left override
}

TEST(CleanText, MalformedUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(terminal_text("\xff", false), "\xEF\xBF\xBD");
  EXPECT_EQ(terminal_text("\xff", true), "?");
  EXPECT_EQ(xml_text("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(xml_text("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(xml_text("x\xe2\x82"), "x\xEF\xBF\xBD\xEF\xBF\xBD");                // cut off
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80").substr(0, 3), "\xEF\xBF\xBD");         // beyond U+10FFFF
}

TEST(CleanText, XmlKeepsLineBreaksAndDropsWhatItCannotHold) {
  EXPECT_EQ(xml_text("a\nb\tc"), "a\nb\tc");
  EXPECT_EQ(xml_text(std::string("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "\xEF\xBF\xBD");
  EXPECT_EQ(xml_text("\xf0\x9f\x99\x82"), "\xf0\x9f\x99\x82");
}

TEST(CleanText, CountsCharactersNotBytes) { EXPECT_EQ(columns("caf\xc3\xa9"), 4U); }

TEST(CleanText, ShortensTheMiddle) {
  EXPECT_EQ(shortened("abcdefghij", 10, false), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghij", 7, false), "abc\xE2\x80\xA6hij");
  EXPECT_EQ(shortened("abcdefghij", 7, true), "abc..ij");
  EXPECT_EQ(columns(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3, false)), 3U);
  EXPECT_EQ(shortened("abc", 1, true), "a");
}

TEST(CleanText, WrapsAtSpacesAndNeverCutsAWord) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("a verylongword b", 4), (std::vector<std::string>{"a", "verylongword", "b"}));
  EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
}

TEST(CleanText, PadsByColumns) {
  EXPECT_EQ(padded_right("\xc3\xa9", 3), "\xc3\xa9  ");
  EXPECT_EQ(padded_left("abc", 2), "abc");
}

}  // namespace
}  // namespace stepgate
