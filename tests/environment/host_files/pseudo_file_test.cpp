#include "environment/host_files/pseudo_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

TEST(PseudoFile, ReadsWholeFilesThatReportNoSize) {
  const auto status = read_pseudo_file("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_EQ(value_after(*status, "Pid"), std::to_string(::getpid()));
  EXPECT_EQ(read_pseudo_file("/proc/self/no_such_file"), std::nullopt);
}

TEST(PseudoFile, KeepsFilesLongerThanOneBufferWhole) {
  const FakeRoot root;
  const std::string text(10'001, 'x');
  root.write("long", text + "\n");
  EXPECT_EQ(read_pseudo_file(root.path() / "long"), text);
}

TEST(PseudoFile, ReadsANumberOnlyWhereThereIsNothingElse) {
  const FakeRoot root;
  root.write("number", "42\n");
  root.write("words", "42 kB\n");
  EXPECT_EQ(read_pseudo_number(root.path() / "number"), 42);
  EXPECT_EQ(read_pseudo_number(root.path() / "words"), std::nullopt);
  EXPECT_EQ(read_pseudo_number(root.path() / "missing"), std::nullopt);
}

TEST(PseudoFile, FindsTheValueOfAWholeKeyOnly) {
  const std::string text = "model\t\t: 106\nmodel name\t: Some CPU: fast\nempty:\n";
  EXPECT_EQ(value_after(text, "model name"), "Some CPU: fast");
  EXPECT_EQ(value_after(text, "mod"), std::nullopt);
  EXPECT_EQ(value_after(text, "empty"), "");
}

TEST(PseudoFile, SplitsIntoWordsAndLines) {
  EXPECT_THAT(words_of("  a\tb \n"), testing::ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a b\n\nc\n"), testing::ElementsAre("a b", "c"));
  EXPECT_THAT(words_of(""), testing::IsEmpty());
}

}  // namespace
}  // namespace stepgate
