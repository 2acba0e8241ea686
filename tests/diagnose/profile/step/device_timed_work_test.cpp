#include "diagnose/profile/step/device_timed_work.h"

#include <gtest/gtest.h>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

/// The product of the sample run, with operands.
ProfileRun run_with_operands() {
  ProfileRun run = SampleProfileInput::profile_run();
  OperatorSite& product = run.observed->sites[1];
  product.inputs = {{.sizes = {64, 32}, .strides = {32, 1}, .dtype = "float32"},
                    {.sizes = {}, .strides = {}, .dtype = "float32"},
                    {.sizes = {32, 64}, .strides = {64, 1}, .dtype = "float32"}};
  product.calls = 8;
  return run;
}

DeviceTime time_of(std::vector<std::vector<std::int64_t>> sizes, std::int64_t calls, std::int64_t self_ns) {
  return {.boundary = "forward",
          .name = "aten::mm",
          .sizes = std::move(sizes),
          .calls = calls,
          .self_ns = self_ns,
          .total_ns = self_ns + 1000};
}

TEST(DeviceTimedWork, ASiteGetsTheMeanOfItsCalls) {
  const ProfileRun timed =
      with_device_times(run_with_operands(), {time_of({{64, 32}, {32, 64}}, 10, 500), time_of({{9, 9}}, 1, 77)});
  const OperatorSite& product = timed.observed->sites[1];
  EXPECT_EQ(product.self_ns, 400);
  EXPECT_EQ(product.total_ns, 1200);
  EXPECT_EQ(timed.observed->sites[0].self_ns, 0) << "aten::add was not traced";
  EXPECT_EQ(timed.observed_wall_ns, 0);
  EXPECT_EQ(timed.unobserved_wall_ns, 0);
}

TEST(DeviceTimedWork, WithoutACallOfItsSizesTheMeanOfItsName) {
  const ProfileRun timed = with_device_times(run_with_operands(), {time_of({{1, 1}}, 1, 10), time_of({{2, 2}}, 3, 50)});
  EXPECT_EQ(timed.observed->sites[1].self_ns, 120);
}

TEST(DeviceTimedWork, WithoutAnObservedStepThereIsNothingToTime) {
  ProfileRun run;
  run.observed_wall_ns = 7;
  EXPECT_EQ(with_device_times(run, {time_of({}, 1, 1)}).observed_wall_ns, 0);
}

TEST(DevicePeaks, ASmallLevelIsAsFastAsALargerOne) {
  const MachinePeaks peaks = device_peaks({.flops_per_s = {{"float32", 5e13}},
                                           .bandwidth = {{8192, 2e9}, {1 << 25, 4e12}, {1 << 27, 3e12}},
                                           .floor_ns = 5800});
  EXPECT_EQ(peaks.bandwidth[0].bytes_per_s, 4e12);
  EXPECT_EQ(peaks.bandwidth[1].bytes_per_s, 4e12);
  EXPECT_EQ(peaks.bandwidth[2].bytes_per_s, 3e12);
  EXPECT_EQ(peaks.floor_ns, 0);
  EXPECT_EQ(peaks.flops_per_s.at("float32"), 5e13);
}

}  // namespace
}  // namespace stepgate
