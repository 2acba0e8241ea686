#include "system/files/pseudo_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(PseudoFile, ReadsWholeFilesThatReportNoSize) {
  const auto status = read_pseudo_file("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_EQ(value_after(*status, "Pid"), std::to_string(::getpid()));
  EXPECT_EQ(read_pseudo_file("/proc/self/no_such_file"), std::nullopt);
}

TEST(PseudoFile, KeepsFilesLongerThanOneBufferWhole) {
  const TemporaryFolder root;
  const std::string text(10'001, 'x');
  std::ofstream(root.path() / "long") << text << "\n";
  EXPECT_EQ(read_pseudo_file(root.path() / "long"), text);
}

TEST(PseudoFile, ReadsToTheEndInTheMemoryThatIsGiven) {
  const TemporaryFolder place;
  std::ofstream(place.path() / "maps") << std::string(20'000, 'm') << "\n";
  std::string text = "of before";
  EXPECT_TRUE(read_to_end(place.path() / "maps", text));
  EXPECT_EQ(text.size(), 20'001U);
  EXPECT_FALSE(read_to_end(place.path() / "none", text));
  EXPECT_TRUE(text.empty());
  EXPECT_FALSE(read_to_end(place.path(), text)) << "a folder";
  EXPECT_EQ(read_pseudo_file(place.path()), std::nullopt) << "a folder";
}

TEST(PseudoFile, ReadsANumberOnlyWhereThereIsNothingElse) {
  const TemporaryFolder root;
  std::ofstream(root.path() / "number") << "42\n";
  std::ofstream(root.path() / "words") << "42 kB\n";
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

TEST(PseudoFile, ADamagedLineHasNoNumber) {
  EXPECT_EQ(number_after("VmLck:\t     12 kB\nThreads:\t3\n", "Threads:"), 3);
  EXPECT_EQ(number_after("VmLck:\t     12 kB", "VmLck:"), 12);
  for (const char* text : {"", "Threads", "Threads:", "Threads:\tmany\n", "xThreads:\t3"}) {
    EXPECT_FALSE(number_after(text, "Threads:")) << text;
  }
}

TEST(PseudoFile, SplitsIntoWordsAndLines) {
  EXPECT_THAT(words_of("  a\tb \n"), testing::ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a b\n\nc\n"), testing::ElementsAre("a b", "c"));
  EXPECT_THAT(words_of(""), testing::IsEmpty());
}

}  // namespace
}  // namespace stepgate
