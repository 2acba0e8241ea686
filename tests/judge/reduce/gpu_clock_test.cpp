#include "judge/reduce/gpu_clock.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

Window window_with_khz(std::optional<std::int64_t> khz) {
  Window window{9000, 0, 2, false};
  window.gpu_clock_khz = khz;
  return window;
}

TimedValues gpu_clock_of(const std::vector<Window>& windows, const Evidence& evidence) {
  RunRecord record;
  record.timed["e2e"].windows = windows;
  TimedValues values;
  add_gpu_clock(evidence, record, values);
  return values;
}

Evidence clock_over_passes(double mhz) {
  Evidence evidence;
  evidence.values = {{EvidenceKey::gpu_clock_mean_mhz, mhz}};
  return evidence;
}

TEST(GpuClock, IsTheMeanOverTheTimedWindowsThatHaveOne) {
  Window cold = window_with_khz(1'000'000);
  cold.cold_shape = true;
  const TimedValues values =
      gpu_clock_of({window_with_khz(1'980'000), window_with_khz(std::nullopt), cold, window_with_khz(1'950'000)},
                   clock_over_passes(1700));
  EXPECT_DOUBLE_EQ(values.values.at("gpu_clock_mhz"), 1965);
}

TEST(GpuClock, WithoutAWindowThatHasOneItIsThatOfAllPasses) {
  const std::vector<Window> too_short = {window_with_khz(std::nullopt)};
  EXPECT_DOUBLE_EQ(gpu_clock_of(too_short, clock_over_passes(1700)).values.at("gpu_clock_mhz"), 1700);
}

TEST(GpuClock, IsAbsentWithTheDriversReason) {
  Evidence evidence;
  evidence.absent = {{EvidenceKey::gpu_clock_mean_mhz, "no reading fell into the timed passes"}};
  EXPECT_EQ(gpu_clock_of({}, evidence).absent.at("gpu_clock_mhz"), "no reading fell into the timed passes");
}

TEST(GpuClock, OnACpuThereIsNone) {
  const TimedValues values = gpu_clock_of({window_with_khz(std::nullopt)}, {});
  EXPECT_TRUE(values.values.empty() && values.absent.empty());
}

}  // namespace
}  // namespace stepgate
