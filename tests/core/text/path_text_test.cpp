#include "core/text/path_text.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

TEST(PathText, TakesWhatEachKindIsMadeOf) {
  EXPECT_TRUE(is_path_text(PathText::case_name, "language/char_lm/tiny"));
  EXPECT_TRUE(is_path_text(PathText::suite, "language"));
  EXPECT_TRUE(is_path_text(PathText::runner_class, "h200-16c"));
  EXPECT_TRUE(is_path_text(PathText::file_name, "4be1c0ffee12-dirty"));
  EXPECT_TRUE(is_path_text(PathText::utc, "2026-11-22T05:34:50Z"));
}

TEST(PathText, NoKindLeavesItsFolder) {
  for (const PathText kind :
       {PathText::case_name, PathText::suite, PathText::runner_class, PathText::file_name, PathText::utc}) {
    for (const char* text : {"", ".", "..", "../../x", "/tmp/x", "a/..", "a/../b", ".hidden", "a b", "a\n", "a;b"})
      EXPECT_FALSE(is_path_text(kind, text)) << text;
    EXPECT_FALSE(is_path_text(kind, std::string("a\0b", 3)));
  }
  EXPECT_FALSE(is_path_text(PathText::file_name, "-rf")) << "an option of a shell's command";
  EXPECT_FALSE(is_path_text(PathText::file_name, std::string(300, 'a'))) << "no file system has such names";
}

TEST(PathText, ARefusalNamesTheKindAndTheForm) {
  try {
    path_text(PathText::runner_class, "../../x");
    FAIL() << "a class left its folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "runner class '../../x' is not of the form [a-z0-9_-]+");
  }
}

}  // namespace
}  // namespace stepgate
