#include "system/output_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(OutputTail, KeepsTheLastLines) {
  const std::string text = "one\ntwo\nthree\n";
  EXPECT_EQ(output_tail(text, 2), "two\nthree");
  EXPECT_EQ(output_tail(text, 3), "one\ntwo\nthree");
  EXPECT_EQ(output_tail(text), "one\ntwo\nthree");
}

TEST(OutputTail, IsEmptyWhereNothingWasPrinted) {
  EXPECT_EQ(output_tail(""), "");
  EXPECT_EQ(output_tail("\n\n"), "");
}

TEST(OutputTail, StaysSmallHoweverLongALineIs) {
  const std::string tail = output_tail(std::string(1'000'000, 'x') + "end");
  EXPECT_EQ(tail.size(), 16u * 1024);
  EXPECT_THAT(tail, testing::EndsWith("xend"));
}

TEST(OutputTail, KeepsWhatIsWrittenInUtf8) {
  EXPECT_EQ(output_tail("größer als 3 µs: 損失"), "größer als 3 µs: 損失");
  EXPECT_EQ(output_tail("a\xc2\x9b"
                        "b\xe2\x80\xae"
                        "c"),
            "a?b?c")
      << "what turns or controls a line is no text";
}

TEST(OutputTail, ACharacterThatIsCutIsLeftOut) {
  const std::string tail = output_tail("ß" + std::string(16 * 1024 - 1, 'x'));
  EXPECT_EQ(tail, std::string(16 * 1024 - 1, 'x'));
}

TEST(OutputTail, ReplacesBytesThatNoTextHolds) {
  EXPECT_EQ(output_tail(std::string("a\x1b[31m\xff\0b\tc", 11)), "a?[31m??b\tc");
}

}  // namespace
}  // namespace stepgate
