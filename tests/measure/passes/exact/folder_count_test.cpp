#include "measure/passes/exact/folder_count.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

void write_bytes(const fs::path& path, std::size_t bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << std::string(bytes, 'x');
}

TEST(FolderCount, CountsEntriesAndTheBytesOfFilesAndFollowsNoLink) {
  const TemporaryFolder place;
  write_bytes(place.path() / "a", 10);
  write_bytes(place.path() / "in/b", 5);
  fs::create_symlink("/usr", place.path() / "link");
  const FolderCount count = count_folder({.folder = place.path()});
  EXPECT_TRUE(count.is_complete);
  EXPECT_EQ(count.entries, 4);
  EXPECT_EQ(count.bytes, 15);
}

TEST(FolderCount, HasADepthAndLeavesOut) {
  const TemporaryFolder place;
  write_bytes(place.path() / "out/record.json", 1);
  write_bytes(place.path() / ".git/objects", 1);
  write_bytes(place.path() / "near/file", 1);
  write_bytes(place.path() / "near/deep/file", 1);
  const FolderQuestion question{
      .folder = place.path(), .left_out = {place.path() / "out"}, .depth = 2, .enters_hidden = false};
  EXPECT_EQ(count_folder(question).entries, 4) << ".git, near, near/file, near/deep";
  EXPECT_TRUE(entries_by_name(question).contains({"", "near/file"}));
  EXPECT_EQ(bytes_by_name(question).at({"", "near/file"}), 1);
}

TEST(FolderCount, StopsAtItsLimitAndSaysSo) {
  const TemporaryFolder place;
  for (int i = 0; i < 5; ++i) write_bytes(place.path() / std::to_string(i), 0);
  EXPECT_TRUE(count_folder({.folder = place.path(), .most_entries = 5}).is_complete);
  EXPECT_FALSE(count_folder({.folder = place.path(), .most_entries = 4}).is_complete);
  EXPECT_FALSE(count_folder({.folder = place.path() / "missing"}).is_complete);
}

}  // namespace
}  // namespace stepgate
