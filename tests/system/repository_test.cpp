#include "system/repository.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(Repository, TheNearestOneHoldsAFile) {
  const TemporaryFolder folder;
  const std::filesystem::path root = std::filesystem::canonical(folder.path());
  folder.write("mine/.git", "gitdir: elsewhere");
  folder.write("mine/perf/baselines/case.json", "{}");
  EXPECT_EQ(repository_around(root / "mine/perf/baselines/case.json"), root / "mine");
  EXPECT_EQ(repository_around(root / "mine/new/folder/case.json"), root / "mine") << "the file need not exist";
  EXPECT_EQ(repository_around("/"), "");
  EXPECT_EQ(repository_around("relative.json"), "");
}

}  // namespace
}  // namespace stepgate
