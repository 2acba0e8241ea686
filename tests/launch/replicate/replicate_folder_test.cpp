#include "launch/replicate/replicate_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(ReplicateFolder, LiesInTheUsersFolderAndGoesWithWhatIsInIt) {
  const TemporaryFolder place;
  fs::path path;
  {
    const ReplicateFolder folder({{"TMPDIR", place.path().string()}}, "out/exact-00-0.record.json");
    path = folder.path();
    EXPECT_EQ(path.parent_path(), place.path());
    EXPECT_TRUE(fs::is_empty(path));
    std::ofstream(path / "left") << "text";
  }
  EXPECT_TRUE(fs::is_empty(place.path()));
}

TEST(ReplicateFolder, IsTheOneThatEachVariableNames) {
  const TemporaryFolder place;
  const ReplicateFolder folder({{"TMPDIR", place.path().string()}}, "r.json");
  const Variables variables = folder.with_folder({{"TMPDIR", "/elsewhere"}, {"HOME", "/home/a"}});
  EXPECT_EQ(variables.at("TMPDIR"), folder.path().string());
  EXPECT_EQ(variables.at("TMP"), folder.path().string());
  EXPECT_EQ(variables.at("TEMP"), folder.path().string());
  EXPECT_EQ(variables.at("HOME"), "/home/a");
}

TEST(ReplicateFolder, HasAPathOfTheSameLengthForEachProcess) {
  const TemporaryFolder place;
  const Variables variables = {{"TMPDIR", place.path().string()}};
  const ReplicateFolder base(variables, "a/timed-00-0.record.json");
  const ReplicateFolder head(variables, "another/timed-11-2.record.json");
  EXPECT_NE(base.path(), head.path());
  EXPECT_EQ(base.path().native().size(), head.path().native().size());
}

TEST(ReplicateFolder, RemovesWhatAKilledLauncherLeft) {
  const TemporaryFolder place;
  const Variables variables = {{"TMPDIR", place.path().string()}};
  fs::path left;
  {
    const ReplicateFolder folder(variables, "r.json");
    left = folder.path().parent_path() / (folder.path().filename().string().substr(0, 30) + "abcdef");
  }
  fs::create_directories(left / "deeper");
  const ReplicateFolder folder(variables, "r.json");
  EXPECT_FALSE(fs::exists(left));
}

TEST(ReplicateFolder, LiesBesideTheRecordWhereTheUsersFolderIsMissing) {
  const TemporaryFolder place;
  const ReplicateFolder folder({{"TMPDIR", "/no/such/folder"}}, place.path() / "r.json");
  EXPECT_EQ(folder.path().parent_path(), place.path());
}

}  // namespace
}  // namespace stepgate
