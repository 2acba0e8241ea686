#include "system/files/fresh_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(FreshFolder, IsEmptyAndGoesWithItsFiles) {
  const TemporaryFolder temporary;
  fs::path path;
  {
    const FreshFolder folder(temporary.path() / "record.json", "checkpoint");
    path = folder.path();
    EXPECT_EQ(path.parent_path(), temporary.path());
    EXPECT_TRUE(fs::is_empty(path));
    fs::create_directory(path / "deeper");
    std::ofstream(path / "deeper" / "file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(FreshFolder, RemovesWhatAKilledProcessLeftAndNothingElse) {
  const TemporaryFolder temporary;
  fs::create_directories(temporary.path() / "record.json.checkpoint-abcdef" / "deeper");
  fs::create_directory(temporary.path() / "record.json.ranks-abcdef");
  fs::create_directory(temporary.path() / "other.json.checkpoint-abcdef");
  const FreshFolder folder(temporary.path() / "record.json", "checkpoint");
  EXPECT_FALSE(fs::exists(temporary.path() / "record.json.checkpoint-abcdef"));
  EXPECT_TRUE(fs::exists(temporary.path() / "record.json.ranks-abcdef"));
  EXPECT_TRUE(fs::exists(temporary.path() / "other.json.checkpoint-abcdef"));
}

TEST(FreshFolder, LeavesWhatALivingProcessUses) {
  const TemporaryFolder temporary;
  const FreshFolder first(temporary.path() / "record.json", "checkpoint");
  std::ofstream(first.path() / "file") << "text";
  const FreshFolder second(temporary.path() / "record.json", "checkpoint");
  remove_unused_folders(temporary.path() / "record.json", "checkpoint");
  EXPECT_TRUE(fs::exists(first.path() / "file"));
  EXPECT_TRUE(fs::exists(second.path()));
  EXPECT_NE(first.path(), second.path());
}

TEST(FreshFolder, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_THROW(FreshFolder("/proc/no/such/record.json", "checkpoint"), Error);
}

}  // namespace
}  // namespace stepgate
