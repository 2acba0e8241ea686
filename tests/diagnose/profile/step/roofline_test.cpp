#include "diagnose/profile/step/roofline.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const std::vector<BandwidthLevel> staircase = {{32'000, 100e9}, {2'000'000, 50e9}, {64'000'000, 20e9}};

TEST(Roofline, TheSmallestLevelThatHoldsTheWorkingSetGivesTheBandwidth) {
  EXPECT_EQ(bandwidth_for(1000, staircase), 100e9);
  EXPECT_EQ(bandwidth_for(32'000, staircase), 100e9);
  EXPECT_EQ(bandwidth_for(32'001, staircase), 50e9);
  EXPECT_EQ(bandwidth_for(1e12, staircase), 20e9);
  EXPECT_EQ(bandwidth_for(1000, {}), 0);
}

TEST(Roofline, TheWorkingSetIsThatOfOneCall) {
  const MachinePeaks peaks{.flops_per_s = {{"float32", 100e9}}, .bandwidth = staircase, .floor_ns = 500};
  OperatorSite site{.boundary = "forward", .name = "aten::add"};
  site.outputs = {{.sizes = {8}, .strides = {1}, .dtype = "float32"}};
  site.calls = 120;
  site.leaf_calls = 100;
  site.bytes = 100 * 30'000;
  site.flops = 1'000'000;
  const OperatorRoof roof = roof_of(site, peaks);
  EXPECT_DOUBLE_EQ(roof.bandwidth_ns, 30'000);  // 3 MB at the cache's 100 GB/s, not at memory's
  EXPECT_DOUBLE_EQ(roof.compute_ns, 10'000);
  EXPECT_DOUBLE_EQ(roof.floor_ns, 60'000);
  EXPECT_TRUE(roof.below_ridge());
  EXPECT_DOUBLE_EQ(roof.roof_ns(), 90'000);
}

TEST(Roofline, ADtypeWithoutPeakHasNoComputeRoof) {
  OperatorSite site{.boundary = "forward", .name = "aten::mm"};
  site.outputs = {{.sizes = {8}, .strides = {1}, .dtype = "float64"}};
  site.flops = 1'000'000;
  EXPECT_EQ(roof_of(site, {.flops_per_s = {{"float32", 1e9}}, .bandwidth = {}, .floor_ns = 0}).compute_ns, 0);
}

TEST(Roofline, PeaksAreTheBestOfTheProcesses) {
  std::vector<ProfileRun> runs(3);
  for (int i = 0; i < 3; ++i) {
    const double factor = i == 0 ? 0.1 : i;  // one disturbed process
    runs[static_cast<std::size_t>(i)].peaks = {
        .flops_per_s = {{"float32", factor * 1e9}}, .bandwidth = {{1000, factor * 1e9}}, .floor_ns = 100 + i};
  }
  const ProfileRun* pointers[] = {&runs[0], &runs[1], &runs[2]};
  const MachinePeaks peaks = best_peaks(pointers);
  EXPECT_EQ(peaks.flops_per_s.at("float32"), 2e9);
  EXPECT_EQ(peaks.bandwidth.at(0).bytes_per_s, 2e9);
  EXPECT_EQ(peaks.floor_ns, 100);
}

}  // namespace
}  // namespace stepgate
