#include "environment/gpu/gpu_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/evidence/taint.h"
#include "environment/gpu/fake_nvml.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

constexpr std::int64_t second_ns = 1'000'000'000;

template <typename Value>
GpuAnswer<Value> answer(Value value) {
  return {value, 0, ""};
}
GpuAnswer<std::int64_t> number(std::int64_t value) { return answer(value); }
template <typename Value>
GpuAnswer<Value> no_answer(int code, const std::string& reason) {
  return {std::nullopt, code, reason};
}

GpuSample working_sample(std::int64_t time_ns, std::int64_t clock_mhz) {
  GpuSample sample;
  sample.time_ns = time_ns;
  sample.idle = answer(false);
  sample.clock_mhz = number(clock_mhz);
  sample.temperature_c = answer(60.0);
  sample.power_w = answer(400.0);
  sample.counters = {number(0), number(0), number(0), number(0), number(0)};
  return sample;
}

GpuReading reading(std::int64_t time_ns, std::int64_t processes) {
  GpuReading one;
  one.sample = working_sample(time_ns, 1500);
  one.compute_processes = number(processes);
  one.mps_processes = number(0);
  one.memory_used_bytes = number(1 << 20);
  return one;
}

/// 10 seconds of a GPU of our own at its locked clock, 100 samples.
GpuWindow quiet_window() {
  GpuWindow window;
  window.before = reading(0, 0);
  window.after = reading(10 * second_ns, 1);
  window.own_processes = 1;
  window.locked_clock_mhz = 1500;
  for (int i = 0; i < 100; ++i) window.samples.push_back(working_sample(i * second_ns / 10, 1500));
  return window;
}

Evidence evidence_of_gpu(const GpuWindow& window) {
  Evidence evidence;
  add_gpu_evidence(window, evidence);
  return evidence;
}

std::vector<std::string> taint_of(const GpuWindow& window) {
  return taint_reasons(evidence_of_gpu(window), default_taint_limits());
}

TEST(GpuEvidence, AQuietGpuIsCleanAndComplete) {
  const Evidence evidence = evidence_of_gpu(quiet_window());
  EXPECT_THAT(evidence.absent, IsEmpty());
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_clock_mean_mhz, 1500)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_clock_off_lock_fraction, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_power_w, 400)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_temperature_c, 60)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::other_gpu_processes, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_memory_used_before_bytes, 1 << 20)));
  EXPECT_THAT(taint_of(quiet_window()), IsEmpty());
}

TEST(GpuEvidence, AnyHardwareSlowdownDiscards) {
  GpuWindow window = quiet_window();
  window.after.sample.counters.hardware_thermal_ns = number(3);
  EXPECT_THAT(taint_of(window), testing::ElementsAre("gpu_hw_thermal_ns 3 above 0: heat slowed the GPU"));
  window = quiet_window();
  window.after.sample.counters.power_brake_ns = number(5);
  EXPECT_THAT(taint_of(window), testing::ElementsAre("gpu_power_brake_ns 5 above 0: the power supply slowed the GPU"));
}

TEST(GpuEvidence, NothingThatTheCodeCanCauseDiscards) {
  GpuWindow window = quiet_window();
  window.after.sample.counters.power_cap_ns = number(8 * second_ns);
  window.after.sample.counters.software_thermal_ns = number(second_ns);
  window.after.sample.counters.sync_boost_ns = number(second_ns);
  window.before.memory_used_bytes = number(std::int64_t{1} << 36);
  window.samples[4].temperature_c = answer(89.0);
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_power_cap_fraction), 0.8);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_sw_thermal_ns), second_ns);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_sync_boost_ns), second_ns);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_temperature_c), 89);
  EXPECT_THAT(taint_of(window), IsEmpty());
}

TEST(GpuEvidence, AnotherProcessDiscardsBeforeAndAfter) {
  GpuWindow window = quiet_window();
  window.before.compute_processes = number(1);
  EXPECT_THAT(taint_of(window), testing::ElementsAre("other_gpu_processes 1 above 0: another process used the GPU"))
      << "before our first CUDA call";
  window = quiet_window();
  window.after.compute_processes = number(3);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::other_gpu_processes), 2) << "beside our own";
  window = quiet_window();
  window.before.mps_processes = number(1);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::other_gpu_processes), 1) << "through MPS";
  window = quiet_window();
  window.after.compute_processes = number(0);
  window.own_processes = 0;
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::other_gpu_processes), 0) << "ours has ended";
}

TEST(GpuEvidence, AListWithoutOurOwnProcessesHidesOthersToo) {
  GpuWindow window = quiet_window();
  window.after.compute_processes = number(0);
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::other_gpu_processes))));
  EXPECT_EQ(evidence.absent.at(EvidenceKey::other_gpu_processes),
            "not observable: the driver lists 0 processes and 1 of ours run");
  window.before.compute_processes = number(1);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::other_gpu_processes), 1) << "somebody was seen all the same";
}

TEST(GpuEvidence, UsersOfASharedGpuAreNotObservable) {
  GpuWindow window = quiet_window();
  window.after.hidden_users = "not observable: the GPU is split (MIG)";
  window.before.compute_processes = number(7);
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::other_gpu_processes))));
  EXPECT_EQ(evidence.absent.at(EvidenceKey::other_gpu_processes), "not observable: the GPU is split (MIG)");
}

TEST(GpuEvidence, ADriverWithoutMpsHasNoClientsOfIt) {
  GpuWindow window = quiet_window();
  window.before.mps_processes = no_answer<std::int64_t>(ENOTSUP, "no such function");
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::other_gpu_processes), 0);
  window.before.mps_processes = no_answer<std::int64_t>(EPERM, "may not");
  EXPECT_EQ(evidence_of_gpu(window).absent.at(EvidenceKey::other_gpu_processes), "may not");
}

TEST(GpuEvidence, AClockOffItsLockDiscardsAbove2Percent) {
  GpuWindow window = quiet_window();
  window.samples[10].clock_mhz = number(1200);
  window.samples[11].clock_mhz = number(1980);
  EXPECT_DOUBLE_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0.02);
  EXPECT_THAT(taint_of(window), IsEmpty());
  window.samples[12].clock_mhz = number(1200);
  EXPECT_THAT(taint_of(window),
              testing::ElementsAre("gpu_clock_off_lock_fraction 0.03 above 0.02: the GPU left its locked clock"));
}

TEST(GpuEvidence, AFewMegahertzAreOnTheLock) {
  GpuWindow window = quiet_window();
  for (GpuSample& sample : window.samples) sample.clock_mhz = number(1485);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0);
}

TEST(GpuEvidence, AClockHeldDownByThePowerCapIsNoInterference) {
  GpuWindow window = quiet_window();
  for (std::size_t i = 0; i < 30; ++i) {
    window.samples[i].clock_mhz = number(1200);
    window.samples[i].counters.power_cap_ns = number(static_cast<std::int64_t>(i + 1));
  }
  for (std::size_t i = 30; i < 100; ++i) window.samples[i].counters.power_cap_ns = number(30);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0);
  window.samples[50].clock_mhz = number(1200);
  EXPECT_DOUBLE_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0.01)
      << "power-cap time long before excuses nothing";
}

TEST(GpuEvidence, AnIdleGpuHasNoClock) {
  GpuWindow window = quiet_window();
  for (std::size_t i = 0; i < 40; ++i) {
    window.samples[i].idle = answer(true);
    window.samples[i].clock_mhz = number(345);
    window.samples[i].power_w = answer(70.0);
  }
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_clock_mean_mhz), 1500);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_power_w), 400);
}

TEST(GpuEvidence, TooFewSamplesTellNothingOfTheLock) {
  GpuWindow window = quiet_window();
  window.samples.resize(49);
  EXPECT_THAT(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_clock_off_lock_fraction), HasSubstr("49 samples"));
  window.locked_clock_mhz.reset();
  EXPECT_EQ(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_clock_off_lock_fraction), "the clock is not locked");
  window.samples.clear();
  EXPECT_EQ(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_clock_mean_mhz),
            "no sample was taken while the GPU worked");
}

TEST(GpuEvidence, SaysWhyACounterIsAbsent) {
  GpuWindow window = quiet_window();
  window.before.sample.counters.hardware_thermal_ns = no_answer<std::int64_t>(ENOTSUP, "too old");
  window.before.sample.counters.power_cap_ns = number(5);
  window.before.sample.counters.sync_boost_ns = no_answer<std::int64_t>(ENOTSUP, "no boost");
  for (GpuSample& sample : window.samples) sample.idle = no_answer<bool>(ENOTSUP, "no reasons");
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_hw_thermal_ns), "too old");
  EXPECT_THAT(evidence.absent.at(EvidenceKey::gpu_power_cap_fraction), HasSubstr("backwards"));
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_sync_boost_ns), "no boost");
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_clock_mean_mhz), "no reasons");
  window.after.sample.time_ns = 0;
  EXPECT_THAT(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_power_cap_fraction), HasSubstr("no length"));
}

TEST(GpuEvidence, IsReadFromTheDriver) {
  FakeNvml fake;
  fake.set("PROCESSES", "1");
  fake.set("COUNTERS", "270=100");
  fake.set("CLOCK", "1500,1200");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWindow window;
  window.before = read_gpu(*library.get(), FakeNvml::uuid(0));
  EXPECT_EQ(window.before.hidden_users, "");
  for (int i = 0; i < 50; ++i) window.samples.push_back(sample_gpu(*library.get(), FakeNvml::uuid(0)));
  fake.set("COUNTERS", "270=250");
  window.after = read_gpu(*library.get(), FakeNvml::uuid(0));
  window.own_processes = 1;
  window.locked_clock_mhz = 1500;
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_hw_thermal_ns), 150);
  EXPECT_EQ(evidence.values.at(EvidenceKey::other_gpu_processes), 1) << "somebody was there before us";
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0.5);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_clock_mean_mhz), 1350);
  EXPECT_GT(window.after.sample.time_ns, window.before.sample.time_ns);
}

TEST(GpuEvidence, KnowsWhenOtherUsersAreHidden) {
  FakeNvml fake;
  const auto hidden_users = [&] {
    const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
    return read_gpu(*library.get(), FakeNvml::uuid(0)).hidden_users;
  };
  fake.set("MIG", "1");
  EXPECT_EQ(hidden_users(), "not observable: the GPU is split (MIG)");
  fake.set("VIRTUALIZATION", "2");
  EXPECT_EQ(hidden_users(), "not observable: this is a vGPU, a share of a GPU");
  fake.set("FAIL", "nvmlDeviceGetCount_v2=4");
  EXPECT_EQ(hidden_users(), "not observable: nvmlDeviceGetCount_v2: Insufficient Permissions");
  const NvmlLibrary old = NvmlLibrary::open(FakeNvml::old_path);
  fake.set("FAIL", "");
  fake.set("VIRTUALIZATION", "0");
  EXPECT_THAT(read_gpu(*old.get(), FakeNvml::uuid(0)).hidden_users, HasSubstr("does not say whether"));
  EXPECT_THAT(read_gpu(*old.get(), FakeNvml::uuid(1)).hidden_users, HasSubstr("lists no GPU"));
}

}  // namespace
}  // namespace stepgate
