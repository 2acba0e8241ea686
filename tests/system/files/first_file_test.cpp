#include "system/files/first_file.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(FirstFile, TheFirstWriterWins) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "deep" / "one";
  EXPECT_TRUE(write_first_file(file, "first"));
  EXPECT_FALSE(write_first_file(file, "second"));
  EXPECT_EQ(text_of(file), "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1)
      << "nothing is left beside it";
}

}  // namespace
}  // namespace stepgate
