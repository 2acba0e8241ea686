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

constexpr std::int64_t gpu_second_ns = 1'000'000'000;

template <typename Value>
GpuAnswer<Value> answer(Value value) {
  return {value, 0, ""};
}
GpuAnswer<std::int64_t> number(std::int64_t value) { return answer(value); }
template <typename Value>
GpuAnswer<Value> no_answer(int code, const std::string& reason) {
  return {std::nullopt, code, reason};
}

GpuAnswer<GpuUsers> users(std::int64_t processes) { return answer(GpuUsers{processes, 0}); }

GpuSample working_sample(std::int64_t time_ns, std::int64_t clock_mhz) {
  GpuSample sample;
  sample.time_ns = time_ns;
  sample.idle = answer(false);
  sample.clock_mhz = number(clock_mhz);
  sample.temperature_c = answer(60.0);
  sample.power_w = answer(400.0);
  sample.counters = {number(0), number(0), number(0), number(0), number(0)};
  sample.users = users(1);
  return sample;
}

/// 10 seconds of a GPU of our own at its locked clock, 101 samples.
GpuWindow quiet_window() {
  GpuWindow window;
  window.before.sample = working_sample(-gpu_second_ns, 1500);
  window.before.sample.users = users(0);
  window.before.memory_used_bytes = number(1 << 20);
  window.locked_clock_mhz = 1500;
  for (int i = 0; i <= 100; ++i) window.samples.push_back(working_sample(i * gpu_second_ns / 10, 1500));
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
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::gpu_mps_clients, 0)));
  EXPECT_THAT(taint_of(quiet_window()), IsEmpty());
}

TEST(GpuEvidence, AnyHardwareSlowdownInTheWindowDiscards) {
  GpuWindow window = quiet_window();
  window.samples.back().counters.hardware_thermal_ns = number(3);
  EXPECT_THAT(taint_of(window), testing::ElementsAre("gpu_hw_thermal_ns 3 above 0: heat slowed the GPU"));
  window = quiet_window();
  window.samples.back().counters.power_brake_ns = number(5);
  EXPECT_THAT(taint_of(window), testing::ElementsAre("gpu_power_brake_ns 5 above 0: the power supply slowed the GPU"));
}

TEST(GpuEvidence, ASlowdownBeforeTheWindowDiscardsNothing) {
  GpuWindow window = quiet_window();
  for (GpuSample& sample : window.samples) {
    sample.counters.hardware_thermal_ns = number(7 * gpu_second_ns);  // grew while the process started and warmed up
    sample.counters.power_cap_ns = number(gpu_second_ns);
  }
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_hw_thermal_ns), 0);
  EXPECT_EQ(evidence_of_gpu(window).values.at(EvidenceKey::gpu_power_cap_fraction), 0);
  EXPECT_THAT(taint_of(window), IsEmpty());
}

TEST(GpuEvidence, AWindowWithoutTwoReadingsSaysSo) {
  GpuWindow window = quiet_window();
  window.samples.resize(1);
  EXPECT_EQ(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_hw_thermal_ns),
            "the timed passes are too short for two readings");
  window.samples.clear();
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.values.size(), 1U) << "the memory in use before";
  for (const EvidenceKey key :
       {EvidenceKey::gpu_hw_thermal_ns, EvidenceKey::gpu_power_cap_fraction, EvidenceKey::other_gpu_processes,
        EvidenceKey::gpu_mps_clients, EvidenceKey::gpu_temperature_c, EvidenceKey::gpu_clock_mean_mhz}) {
    EXPECT_EQ(evidence.absent.at(key), "no reading fell into the timed passes") << name_of(key);
  }
}

TEST(GpuEvidence, ACounterThatGoesBackIsAbsentEvenIfItEndsHigher) {
  GpuWindow window = quiet_window();
  for (GpuSample& sample : window.samples) sample.counters.hardware_thermal_ns = number(10);
  window.samples[50].counters.hardware_thermal_ns = number(4);
  window.samples.back().counters.hardware_thermal_ns = number(90);
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::gpu_hw_thermal_ns))));
  EXPECT_THAT(evidence.absent.at(EvidenceKey::gpu_hw_thermal_ns), HasSubstr("backwards"));
}

TEST(GpuEvidence, NamesTheLossOfAGpu) {
  GpuSample sample;
  const auto gone = no_answer<std::int64_t>(ENODEV, "nvmlDeviceGetClockInfo: GPU is lost");
  sample.clock_mhz = gone;
  sample.power_w = no_answer<double>(ENOTSUP, "cannot");
  EXPECT_EQ(loss_in(sample), "nvmlDeviceGetClockInfo: GPU is lost");
  sample.temperature_c = answer(40.0);
  EXPECT_EQ(loss_in(sample), std::nullopt) << "it answers";
  sample.temperature_c = no_answer<double>(EIO, "what");
  sample.clock_mhz = no_answer<std::int64_t>(EIO, "what");
  EXPECT_EQ(loss_in(sample), std::nullopt) << "nothing says that it is gone";
}

TEST(GpuEvidence, NothingThatTheCodeCanCauseDiscards) {
  GpuWindow window = quiet_window();
  window.samples.back().counters.power_cap_ns = number(8 * gpu_second_ns);
  window.samples.back().counters.software_thermal_ns = number(gpu_second_ns);
  window.samples.back().counters.sync_boost_ns = number(gpu_second_ns);
  window.before.memory_used_bytes = number(std::int64_t{1} << 36);
  window.samples[4].temperature_c = answer(89.0);
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_power_cap_fraction), 0.8);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_sw_thermal_ns), gpu_second_ns);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_sync_boost_ns), gpu_second_ns);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_temperature_c), 89);
  EXPECT_THAT(taint_of(window), IsEmpty());
}

TEST(GpuEvidence, AClockOffItsLockDiscardsAbove2Percent) {
  GpuWindow window = quiet_window();
  window.samples.resize(100);
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
  window.samples.resize(100);
  for (std::size_t i = 1; i < 30; ++i) {
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
            "no reading fell into the timed passes");
  window.samples.push_back(working_sample(0, 345));
  window.samples[0].idle = answer(true);
  EXPECT_EQ(evidence_of_gpu(window).absent.at(EvidenceKey::gpu_clock_mean_mhz),
            "no sample was taken while the GPU worked");
}

TEST(GpuEvidence, SaysWhyACounterIsAbsent) {
  GpuWindow window = quiet_window();
  window.samples[3].counters.hardware_thermal_ns = no_answer<std::int64_t>(ENOTSUP, "too old");
  window.samples.front().counters.sync_boost_ns = no_answer<std::int64_t>(ENOTSUP, "no boost");
  for (GpuSample& sample : window.samples) sample.idle = no_answer<bool>(ENOTSUP, "no reasons");
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_hw_thermal_ns), "too old");
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_sync_boost_ns), "no boost");
  EXPECT_EQ(evidence.absent.at(EvidenceKey::gpu_clock_mean_mhz), "no reasons");
}

TEST(GpuEvidence, IsReadFromTheDriver) {
  FakeNvml fake;
  fake.set("PROCESSES", "0,1");
  fake.set("COUNTERS", "270=100,200,250");
  fake.set("CLOCK", "1500,1200");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWindow window;
  window.before = read_gpu(*library.get(), FakeNvml::uuid(0));
  EXPECT_EQ(window.before.hidden_users, "");
  for (int i = 0; i < 50; ++i) window.samples.push_back(sample_gpu(*library.get(), FakeNvml::uuid(0)));
  window.locked_clock_mhz = 1500;
  const Evidence evidence = evidence_of_gpu(window);
  EXPECT_EQ(evidence.values.at(EvidenceKey::gpu_hw_thermal_ns), 50) << "the reading before is not of the window";
  EXPECT_EQ(evidence.values.at(EvidenceKey::other_gpu_processes), 0);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_clock_off_lock_fraction), 0.5);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::gpu_clock_mean_mhz), 1350);
  EXPECT_GT(window.samples.back().time_ns, window.before.sample.time_ns);
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
