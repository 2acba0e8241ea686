#include "measure/passes/exact/pseudo_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(PseudoText, IsTheWholeFileInTheMemoryThatIsGiven) {
  const TemporaryFolder place;
  std::ofstream(place.path() / "maps") << std::string(20'000, 'm');
  std::string text = "of before";
  EXPECT_TRUE(read_pseudo_file(place.path() / "maps", text));
  EXPECT_EQ(text.size(), 20'000U);
  EXPECT_FALSE(read_pseudo_file(place.path() / "none", text));
  EXPECT_TRUE(text.empty());
  EXPECT_FALSE(read_pseudo_file(place.path(), text)) << "a folder";
}

TEST(PseudoText, ADamagedLineHasNoNumber) {
  EXPECT_EQ(number_after("VmLck:\t     12 kB\nThreads:\t3\n", "Threads:"), 3);
  EXPECT_EQ(number_after("VmLck:\t     12 kB", "VmLck:"), 12);
  for (const char* text : {"", "Threads", "Threads:", "Threads:\tmany\n", "xThreads:\t3"}) {
    EXPECT_FALSE(number_after(text, "Threads:")) << text;
  }
}

}  // namespace
}  // namespace stepgate
