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

/// A repository with one commit of source.cpp, and what it ignores.
class Repository {
 public:
  Repository() {
    write("source.cpp");
    write(".gitignore", "ignored/\n");
    git({"init", "--quiet"});
    git({"add", "--all"});
    git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "first"});
  }
  void write(const std::string& name, const std::string& text = "text") const { folder_.write(name, text); }
  std::filesystem::path path(const std::string& name = "") const { return folder_.path() / name; }
  bool is_dirty(const std::vector<std::filesystem::path>& made = {}) const {
    return commit_of(path(), made).ends_with("-dirty");
  }

 private:
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", folder_.path().string()});
    command_output(words);
  }

  TemporaryFolder folder_;
};

TEST(CommitOf, ANewSourceIsAChangeAndAnIgnoredFileIsNone) {
  const Repository repository;
  EXPECT_FALSE(repository.is_dirty());
  repository.write("ignored/new.cpp");
  EXPECT_FALSE(repository.is_dirty());
  repository.write("library/new.cpp");
  EXPECT_TRUE(repository.is_dirty());
}

TEST(CommitOf, AChangedSourceIsAChange) {
  const Repository repository;
  repository.write("source.cpp", "changed");
  EXPECT_TRUE(repository.is_dirty({repository.path()}));
}

TEST(CommitOf, ATreeThatGitCannotReadIsNotClean) {
  const Repository repository;
  repository.write(".git/index", "torn");
  EXPECT_TRUE(repository.is_dirty());
}

TEST(CommitOf, WhatABuildOrARunMadeIsNoSource) {
  const Repository repository;
  repository.write("results/case/timed/measurement.json");
  EXPECT_TRUE(repository.is_dirty());
  EXPECT_FALSE(repository.is_dirty({repository.path("results")}));
  repository.write("before/CMakeCache.txt");
  repository.write("before/generated/table.cpp");
  EXPECT_FALSE(repository.is_dirty({repository.path("results")}));
  repository.write("between \n names.cpp");
  EXPECT_TRUE(repository.is_dirty({repository.path("results")}));
}

}  // namespace
}  // namespace stepgate
