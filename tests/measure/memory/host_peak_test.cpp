#include "measure/memory/host_peak.h"

#include <gtest/gtest.h>

#include <vector>

namespace stepgate {
namespace {

TEST(HostPeak, RisesWithMemoryThatWasTouchedAndStaysThere) {
  const auto before = host_peak_bytes();
  ASSERT_TRUE(before);
  constexpr std::int64_t touched = 64 << 20;
  {
    const std::vector<char> block(static_cast<std::size_t>(touched), 1);
    ASSERT_EQ(block.back(), 1);
  }
  // The peak may exceed the resident memory by at most the memory that earlier tests freed.
  EXPECT_GT(*host_peak_bytes(), touched);
  EXPECT_GE(*host_peak_bytes(), *before);
}

}  // namespace
}  // namespace stepgate
