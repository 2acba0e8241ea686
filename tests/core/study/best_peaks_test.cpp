#include "core/study/best_peaks.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(BestPeaks, EachIsTheBetterOfBothAndWhatOneLacksIsTheOthers) {
  MachinePeaks best{.flops_per_s = {{"float32", 2e9}}, .bandwidth = {{1000, 5e9}, {4000, 3e9}}, .floor_ns = 0};
  raise_peaks({.flops_per_s = {{"float32", 1e9}, {"bfloat16", 4e9}},
               .bandwidth = {{1000, 6e9}, {2000, 4e9}, {4000, 1e9}},
               .floor_ns = 300},
              best);
  raise_peaks({.flops_per_s = {}, .bandwidth = {}, .floor_ns = 0}, best);
  EXPECT_EQ(best.flops_per_s, (std::map<std::string, double>{{"bfloat16", 4e9}, {"float32", 2e9}}));
  ASSERT_EQ(best.bandwidth.size(), 3U);
  EXPECT_EQ(best.bandwidth[0].bytes_per_s, 6e9);
  EXPECT_EQ(best.bandwidth[1].working_set_bytes, 2000);
  EXPECT_EQ(best.bandwidth[2].bytes_per_s, 3e9);
  EXPECT_EQ(best.floor_ns, 300);
}

}  // namespace
}  // namespace stepgate
