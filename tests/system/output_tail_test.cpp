#include "system/output_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

TEST(OutputTail, KeepsTheLastLines) {
  const FakeRoot root;
  root.write("out", "one\ntwo\nthree\n");
  EXPECT_EQ(output_tail(root.path() / "out", 2), "two\nthree");
  EXPECT_EQ(output_tail(root.path() / "out", 3), "one\ntwo\nthree");
  EXPECT_EQ(output_tail(root.path() / "out"), "one\ntwo\nthree");
}

TEST(OutputTail, IsEmptyWhereNothingWasPrinted) {
  const FakeRoot root;
  root.write("out", "");
  root.write("lines", "\n\n");
  EXPECT_EQ(output_tail(root.path() / "out"), "");
  EXPECT_EQ(output_tail(root.path() / "lines"), "");
  EXPECT_EQ(output_tail(root.path() / "missing"), "");
}

TEST(OutputTail, StaysSmallHoweverLongALineIs) {
  const FakeRoot root;
  root.write("out", std::string(1'000'000, 'x') + "end");
  const std::string tail = output_tail(root.path() / "out");
  EXPECT_EQ(tail.size(), 16u * 1024);
  EXPECT_THAT(tail, testing::EndsWith("xend"));
}

TEST(OutputTail, ReplacesBytesThatNoTextHolds) {
  const FakeRoot root;
  root.write("out", std::string("a\x1b[31m\xff\0b\tc", 11));
  EXPECT_EQ(output_tail(root.path() / "out"), "a?[31m??b\tc");
}

}  // namespace
}  // namespace stepgate
