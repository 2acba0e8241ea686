// A half-installed prefix must not be taken for a whole one, nor for a build folder.
#include "experiment/own_place.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(OwnPlace, IsTheFolderAboveBin) {
  const TemporaryFolder here;
  here.write("build/CMakeCache.txt", "");
  here.write("bundle/bundle.txt", "commit = abc\n");
  here.write("half/bin/stepgate", "");
  const OwnPlace build = own_place(here.path() / "build/bin/stepgate");
  EXPECT_EQ(build.kind, OwnPlaceKind::build_folder);
  EXPECT_EQ(build.root, here.path() / "build");
  EXPECT_EQ(own_place(here.path() / "bundle/bin/stepgate").kind, OwnPlaceKind::bundle);
  EXPECT_EQ(own_place(here.path() / "half/bin/stepgate").kind, OwnPlaceKind::prefix);
}

TEST(OwnPlace, APrefixIsWholeWithTheLastFileAndTheHarness) {
  for (const fs::path libraries : {"lib", "lib64", "lib/x86_64-linux-gnu"}) {
    const TemporaryFolder prefix;
    prefix.write(libraries / "libstepgate_measure.a", "");
    EXPECT_EQ(missing_in_prefix(prefix.path()), prefix.path() / "lib/cmake/stepgate/stepgate-config.cmake");
    prefix.write(libraries / "cmake/stepgate/stepgate-config.cmake", "");
    EXPECT_EQ(missing_in_prefix(prefix.path()), "");
    fs::remove(prefix.path() / libraries / "libstepgate_measure.a");
    EXPECT_EQ(missing_in_prefix(prefix.path()), prefix.path() / libraries / "libstepgate_measure.a");
  }
}

}  // namespace
}  // namespace stepgate
