// Who types a study after a build of the gate must learn the command that builds it.
#include "cli/studies_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/error.h"
#include "support/temporary_folder.h"
#include "support/working_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class StudiesProgram : public testing::Test {
 protected:
  fs::path root() const { return fs::canonical(here_.path()); }

  fs::path program(const std::string& name) const {
    here_.write(name, "");
    fs::permissions(root() / name, fs::perms::owner_all);
    return root() / name;
  }

  void refused(const fs::path& launcher, const char* text, const std::string& remedy) const {
    try {
      studies_beside(launcher);
      FAIL() << "nothing was refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(text));
      EXPECT_EQ(error.remedy(), remedy);
    }
  }

  TemporaryFolder here_;
  WorkingFolder working_{here_.path()};
};

TEST_F(StudiesProgram, IsBesideTheLauncher) {
  const fs::path launcher = program("bin/stepgate");
  const fs::path studies = program("bin/stepgate-studies");
  EXPECT_EQ(studies_beside(launcher), studies);
  EXPECT_EQ(launcher_of(studies), launcher);
  EXPECT_EQ(launcher_of(launcher), launcher);
}

TEST_F(StudiesProgram, WhereItIsNotThereTheCommandThatGetsItIsTold) {
  const fs::path launcher = program("bin/stepgate");
  refused(launcher, "not there", "install stepgate again: cmake --install BUILD --prefix .");
  here_.write("bundle.txt", "commit = abc\n");
  refused(launcher, "not there", "make the bundle anew: ci/bundle BUILD OUT_DIR");
  here_.write("CMakeCache.txt", "");
  refused(launcher, "not there", "build it: cmake --build . --target stepgate_studies");
}

TEST_F(StudiesProgram, IsNotTheLauncherItself) {
  const fs::path launcher = program("bin/stepgate");
  fs::create_symlink("stepgate", root() / "bin/stepgate-studies");
  const std::string remedy = "install stepgate again: cmake --install BUILD --prefix .";
  refused(launcher, "the launcher itself", remedy);
  refused(root() / "bin/stepgate-studies", "the launcher itself", remedy);
}

TEST_F(StudiesProgram, AnOlderOneOfTheSameBuildFolderIsNotStarted) {
  const fs::path studies = program("bin/stepgate-studies");
  const fs::path launcher = program("bin/stepgate");
  fs::last_write_time(studies, fs::last_write_time(launcher) - std::chrono::seconds(1));
  EXPECT_EQ(studies_beside(launcher), studies) << "a prefix may be copied in any order";
  here_.write("CMakeCache.txt", "");
  refused(launcher, "older build", "build it: cmake --build . --target stepgate_studies");
}

}  // namespace
}  // namespace stepgate
