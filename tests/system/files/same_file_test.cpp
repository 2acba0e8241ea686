#include "system/files/same_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(SameFile, AFolderThatWasOpenedIsKnownByItsNameUntilItLosesIt) {
  const TemporaryFolder place;
  const fs::path name = place.path() / "folder";
  fs::create_directory(name);
  const Descriptor opened(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(opened.is_open());
  EXPECT_TRUE(is_still_named(opened, name));
  fs::rename(name, place.path() / "moved");
  EXPECT_FALSE(is_still_named(opened, name)) << "nothing has the name";
  fs::create_directory(name);
  EXPECT_FALSE(is_still_named(opened, name)) << "another folder has the name";
  EXPECT_TRUE(is_still_named(opened, place.path() / "moved"));
  EXPECT_FALSE(is_still_named(Descriptor(), name));
}

}  // namespace
}  // namespace stepgate
