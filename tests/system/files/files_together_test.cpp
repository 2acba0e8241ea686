#include "system/files/files_together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/error.h"
#include "support/file_size_limit.h"
#include "support/temporary_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(FilesTogether, AllAreWrittenAndReplaced) {
  const TemporaryFolder folder;
  write_files_together(folder.path() / "deep", {{"a", "1"}, {"b", "2"}});
  write_files_together(folder.path() / "deep", {{"b", "3"}, {"c", "4"}});
  EXPECT_EQ(text_of(folder.path() / "deep/a"), "1");
  EXPECT_EQ(text_of(folder.path() / "deep/b"), "3");
  EXPECT_EQ(text_of(folder.path() / "deep/c"), "4");
  EXPECT_EQ(files_in(folder.path() / "deep"), 3);
}

TEST(FilesTogether, OneThatDoesNotFitLeavesAllAsTheyWere) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "a", "old");
  {
    const FileSizeLimit limit(8);
    try {
      write_files_together(folder.path(), {{"a", "new"}, {"b", "longer than eight bytes"}});
      FAIL() << "it fits";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::measure);
      EXPECT_THAT(error.what(), testing::HasSubstr((folder.path() / "b").string()));
    }
  }
  EXPECT_EQ(text_of(folder.path() / "a"), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

/// As at the places of a profile, of which anybody may have made something else.
TEST(FilesTogether, AFolderInAPlaceLeavesAllAsTheyWere) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "a", "old");
  std::filesystem::create_directories(folder.path() / "b");
  EXPECT_THROW(write_files_together(folder.path(), {{"a", "new"}, {"b", "new"}}), Error);
  EXPECT_EQ(text_of(folder.path() / "a"), "old");
  EXPECT_EQ(files_in(folder.path()), 2);
}

TEST(FilesTogether, AFifoAndALinkInAPlaceAreReplaced) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "elsewhere", "old");
  ASSERT_EQ(::mkfifo((folder.path() / "a").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "b");
  write_files_together(folder.path(), {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(text_of(folder.path() / "a"), "1");
  EXPECT_FALSE(std::filesystem::is_symlink(folder.path() / "b"));
  EXPECT_EQ(text_of(folder.path() / "elsewhere"), "old");
}

}  // namespace
}  // namespace stepgate
