#include "launch/replicate/same_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(SameFolder, IsRefusedOnceItsNameLeadsElsewhere) {
  const TemporaryFolder place;
  const std::filesystem::path path = place.path() / "out";
  std::filesystem::create_directory(path);
  const SameFolder folder(path);
  EXPECT_NO_THROW(folder.require());
  std::filesystem::rename(path, place.path() / "moved");
  EXPECT_THROW(folder.require(), Error);
  std::filesystem::create_directory(path);
  EXPECT_THROW(folder.require(), Error);
  std::filesystem::remove(path);
  std::filesystem::rename(place.path() / "moved", path);
  EXPECT_NO_THROW(folder.require());
}

}  // namespace
}  // namespace stepgate
