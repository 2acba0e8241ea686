#include "experiment/plan/provenance.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "system/command_output.h"

namespace stepgate {
namespace {

TEST(CommitOf, IsUnknownInARepositoryWithoutACommit) {
  const TemporaryFolder folder;
  command_output({"git", "-C", folder.path().string(), "init", "--quiet"});
  EXPECT_EQ(commit_of(folder.path()), "");
}

TEST(CommitOf, NamesTheCommitThatIsCheckedOut) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  command_output({"git", "-C", path, "init", "--quiet"});
  command_output({"git", "-C", path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty",
                  "--message", "first"});
  EXPECT_EQ(commit_of(folder.path()).size(), 40U);
}

}  // namespace
}  // namespace stepgate
