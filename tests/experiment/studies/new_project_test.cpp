// The files of a new project: all of them, or none, and nothing is overwritten.
#include "experiment/studies/new_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) names.insert(entry.path().lexically_relative(folder).string());
  }
  return names;
}

std::string refusal_to_write(const fs::path& folder) {
  try {
    write_new_project(folder, ProjectKind::workload);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "";
}

TEST(NewProject, HasAllThatIsNeededToBuildAndGate) {
  const TemporaryFolder here;
  const fs::path folder = here.path() / "a/training";
  const NewProject made = write_new_project(folder, ProjectKind::workload);
  const std::set<std::string> files = files_below(folder);
  EXPECT_EQ(files, (std::set<std::string>{".github/workflows/perf.yml", ".gitignore", "CMakeLists.txt", "README.md",
                                          "mlp_perftest.cpp", "perftests/mine/policy.json"}));
  EXPECT_EQ(made.written.size(), files.size());
  EXPECT_THAT(text_of(folder / "CMakeLists.txt"), HasSubstr("set(CMAKE_BUILD_TYPE Release CACHE STRING \"\" FORCE)"));
  struct stat status {};
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0700U, 0700U);
  EXPECT_THAT(files_below(here.path()), Not(Contains(HasSubstr("stepgate-init"))));
}

TEST(NewProject, OfAnOwnLoopHasTheLoopTheProgramAndThePerftest) {
  const TemporaryFolder here;
  write_new_project(here.path(), ProjectKind::own_loop);
  EXPECT_EQ(files_below(here.path()),
            (std::set<std::string>{".github/workflows/perf.yml", ".gitignore", "CMakeLists.txt", "README.md",
                                   "loop_perftest.cpp", "perftests/mine/policy.json", "train.cpp", "train.h",
                                   "train_main.cpp"}));
}

TEST(NewProject, ThatAnswersRequestsHasOneWorkload) {
  const TemporaryFolder here;
  write_new_project(here.path(), ProjectKind::inference);
  EXPECT_EQ(files_below(here.path()),
            (std::set<std::string>{".github/workflows/perf.yml", ".gitignore", "CMakeLists.txt", "README.md",
                                   "classifier_perftest.cpp", "perftests/mine/policy.json"}));
  EXPECT_THAT(text_of(here.path() / "classifier_perftest.cpp"), HasSubstr("InferenceWorkload"));
}

TEST(NewProject, ForAGpuGatesItsCaseOnAnEmulatedOne) {
  const TemporaryFolder here;
  write_new_project(here.path(), ProjectKind::gpu);
  EXPECT_EQ(files_below(here.path()),
            (std::set<std::string>{".github/workflows/perf.yml", ".gitignore", "CMakeLists.txt", "README.md",
                                   "mlp_perftest.cpp", "perftests/mine/policy.json"}));
  EXPECT_THAT(text_of(here.path() / "CMakeLists.txt"), HasSubstr("DEVICE cuda DEVICES emulated:h100"));
  EXPECT_THAT(text_of(here.path() / "CMakeLists.txt"), HasSubstr("if(TARGET torch_cuda)"));
  EXPECT_THAT(text_of(here.path() / "mlp_perftest.cpp"), HasSubstr(".device = \"cuda\""));
}

TEST(NewProject, OverwritesNothingAndNamesWhatIsThere) {
  const TemporaryFolder here;
  here.write("CMakeLists.txt", "mine");
  fs::create_symlink("nowhere", here.path() / ".gitignore");
  const std::string refusal = refusal_to_write(here.path());
  EXPECT_THAT(refusal, HasSubstr((here.path() / "CMakeLists.txt").string()));
  EXPECT_THAT(refusal, HasSubstr((here.path() / ".gitignore").string()));
  EXPECT_THAT(refusal, HasSubstr("add_subdirectory"));
  EXPECT_EQ(text_of(here.path() / "CMakeLists.txt"), "mine");
  EXPECT_EQ(files_below(here.path()), (std::set<std::string>{".gitignore", "CMakeLists.txt"}));
}

TEST(NewProject, WhatCannotBeWrittenLeavesNothing) {
  const TemporaryFolder here;
  here.write("perftests", "a file where a folder is needed");
  EXPECT_THAT(refusal_to_write(here.path()), HasSubstr("perftests"));
  EXPECT_EQ(files_below(here.path()), (std::set<std::string>{"perftests"}));
  EXPECT_FALSE(fs::exists(here.path() / ".github"));
  EXPECT_THAT(refusal_to_write(here.path() / "perftests"), HasSubstr("is not a folder"));
}

TEST(NewProject, IsCompletedByTheSameCallAfterAKill) {
  const TemporaryFolder here;
  write_new_project(here.path(), ProjectKind::workload);
  fs::remove(here.path() / "mlp_perftest.cpp");
  const NewProject made = write_new_project(here.path(), ProjectKind::workload);
  EXPECT_EQ(made.written, std::vector<fs::path>{"mlp_perftest.cpp"});
  EXPECT_EQ(made.unchanged.size(), 5U);
  EXPECT_THAT(write_new_project(here.path(), ProjectKind::workload).written, IsEmpty());
}

}  // namespace
}  // namespace stepgate
