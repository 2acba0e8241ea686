#include "environment/gpu/window_clocks.h"

#include <gtest/gtest.h>

#include <limits>

namespace stepgate {
namespace {

GpuSample sample_of_clock(std::int64_t time_ns, std::int64_t mhz, std::optional<bool> idle = false) {
  GpuSample sample;
  sample.time_ns = time_ns;
  sample.idle.value = idle;
  sample.clock_mhz.value = mhz;
  return sample;
}

Window window_begun_at(std::optional<std::int64_t> begin_us, std::int64_t wall_ns = 400) {
  Window window{wall_ns, 0, 5, false};
  window.begin_us = begin_us;
  return window;
}

RunRecord record_with_windows(const std::vector<Window>& windows) {
  RunRecord record;
  record.timed["e2e"].windows = windows;
  return record;
}

std::optional<std::int64_t> window_clock_of(const std::vector<ClockReadings>& gpus, const Window& window) {
  RunRecord record = record_with_windows({window});
  add_window_clocks(gpus, record);
  return record.timed.at("e2e").windows[0].gpu_clock_khz;
}

TEST(WindowClocks, AWorkingGpuIsReadInOrder) {
  GpuWindow window;
  window.samples = {sample_of_clock(10, 1980), sample_of_clock(20, 345, true), sample_of_clock(30, 1965),
                    sample_of_clock(40, 1950, std::nullopt)};
  window.samples.push_back(sample_of_clock(50, 1));
  window.samples.back().clock_mhz.value.reset();
  const ClockReadings readings = clock_readings(window);
  ASSERT_EQ(readings.size(), 2U) << "neither idle, of unknown activity nor without a clock";
  EXPECT_EQ(readings[0].time_ns, 10);
  EXPECT_EQ(readings[1].mhz, 1965);
}

TEST(WindowClocks, AWindowHasTheMeanOfItsOwnReadings) {
  const std::vector<ClockReadings> gpu = {{{900, 1}, {1000, 1980}, {1200, 1965}, {1400, 1950}, {1401, 1}}};
  EXPECT_EQ(window_clock_of(gpu, window_begun_at(1)), 1'965'000) << "begin and end are part of it";
  EXPECT_EQ(window_clock_of({{{1100, 1980}, {1150, 1980}, {1300, 1979}}}, window_begun_at(1)), 1'979'667);
}

TEST(WindowClocks, AWindowWithoutAReadingHasNone) {
  const std::vector<ClockReadings> gpu = {{{900, 1980}, {1500, 1980}}};
  EXPECT_FALSE(window_clock_of(gpu, window_begun_at(1)));
  EXPECT_FALSE(window_clock_of(gpu, window_begun_at(std::nullopt))) << "it does not say when it began";
  EXPECT_FALSE(window_clock_of({}, window_begun_at(1)));
  Window claimed = window_begun_at(1);
  claimed.gpu_clock_khz = 7;
  EXPECT_FALSE(window_clock_of(gpu, claimed)) << "a program cannot read it itself";
}

TEST(WindowClocks, OfSeveralGpusTheLowestCounts) {
  EXPECT_EQ(window_clock_of({{{1100, 1980}}, {{1100, 1410}}, {}}, window_begun_at(1)), 1'410'000);
}

TEST(WindowClocks, TimesOfARecordMayBeAnyNumbers) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(window_clock_of({{{0, 1980}}}, window_begun_at(most, most)));
  EXPECT_EQ(window_clock_of({{{most, 1980}}}, window_begun_at(-most, most)), std::nullopt);
}

}  // namespace
}  // namespace stepgate
