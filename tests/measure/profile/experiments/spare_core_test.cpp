#include "measure/profile/experiments/spare_core.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

namespace stepgate {
namespace {

std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

TEST(SpareCore, EachLoadWorksUntilItIsDestroyed) {
  const std::ptrdiff_t before = threads();
  for (const SpareCoreLoad load : {SpareCoreLoad::computes, SpareCoreLoad::copies}) {
    {
      const BusySpareCore core(0, load);
      EXPECT_EQ(threads(), before + 1);
    }
    EXPECT_EQ(threads(), before);
  }
}

/// The thread ends at once, and its caller does not wait for ever.
TEST(SpareCore, ACpuThatIsNotThereIsNotWaitedFor) { const BusySpareCore core(1023, SpareCoreLoad::computes); }

}  // namespace
}  // namespace stepgate
