#include "emulator/nvml/nvml_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "emulator/model/shown_devices.h"

namespace stepgate::emulator {
namespace {

using testing::StartsWith;

/// A started library over a machine and a script.
struct Library {
  explicit Library(const std::string& machine, const std::string& script = "", NvmlSources sources = {})
      : devices(read_machine_options(machine), read_device_script(script), std::move(sources)) {
    devices.start();
  }
  std::int64_t number(NvmlReading what, int place = 0) { return devices.read(place, what).value; }
  NvmlDevices devices;
};

TEST(NvmlDevices, NothingIsReadBeforeTheStartAndAfterTheStop) {
  NvmlDevices devices(read_machine_options("h100"), {}, {});
  EXPECT_EQ(devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::uninitialized);
  EXPECT_EQ(devices.stop(), NvmlOutcome::uninitialized);
  devices.start();
  devices.start();
  EXPECT_EQ(devices.stop(), NvmlOutcome::ok);
  EXPECT_EQ(devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::ok);
  EXPECT_EQ(devices.stop(), NvmlOutcome::ok);
  EXPECT_EQ(devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::uninitialized);
}

TEST(NvmlDevices, AFaultOfVirtualTimeDoesNotWaitForMilliseconds) {
  const auto problem = [](const std::string& machine, const std::string& script) {
    return time_problem(read_machine_options(machine), read_device_script(script));
  };
  EXPECT_THAT(problem("h100:2", "gpu 1 after 20 ms xid 79\n"), StartsWith("gpu 1 after ... ms xid: "));
  EXPECT_EQ(problem("h100:2 clock=real", "gpu 1 after 20 ms xid 79\n"), "");
  EXPECT_EQ(problem("h100:2", "gpu 1 after 20 operations xid 79\ngpu 0 xid 48\n"), "");
  EXPECT_EQ(problem("h100:2", "gpu 1 after 20 ms temperature_c 91\n"), "") << "which NVML alone reads";
}

TEST(NvmlDevices, EachNameOfADeviceLeadsToIt) {
  Library library("a100:2");
  const auto handle = library.devices.handle_at(1);
  ASSERT_EQ(handle.outcome, NvmlOutcome::ok);
  EXPECT_EQ(library.devices.place_of(handle.value).value, 1);
  EXPECT_EQ(library.devices.handle_of_uuid(library.devices.uuid({1, NvmlDevice::whole})).value, handle.value);
  EXPECT_EQ(library.devices.handle_of_bus("00000000:2B:00.0").value, handle.value);
  EXPECT_EQ(library.devices.handle_of_bus("0000:2b:00.0").value, handle.value);
  EXPECT_EQ(library.devices.uuid({1, NvmlDevice::whole}), uuid_text(library.devices.model(), 1));
}

TEST(NvmlDevices, AWrongNameLeadsNowhere) {
  Library library("a100:2");
  EXPECT_EQ(library.devices.handle_at(2).outcome, NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.handle_of_uuid("GPU-none").outcome, NvmlOutcome::not_found);
  EXPECT_EQ(library.devices.handle_of_bus("0000:ff:00.0").outcome, NvmlOutcome::not_found);
  for (const std::uintptr_t wrong : {std::uintptr_t{0}, std::uintptr_t{255}, std::uintptr_t{3 * 256}}) {
    EXPECT_EQ(library.devices.place_of(wrong).outcome, NvmlOutcome::invalid_argument) << wrong;
  }
}

TEST(NvmlDevices, WithoutAScriptTheModelAnswers) {
  Library library("h100", "", {.milliseconds = [] { return std::int64_t{2000}; }});
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz), 1980);
  EXPECT_EQ(library.number(NvmlReading::memory_clock_mhz), 2619);
  EXPECT_EQ(library.number(NvmlReading::power_limit_mw), 700'000);
  EXPECT_EQ(library.number(NvmlReading::power_mw), 350'000);
  EXPECT_EQ(library.number(NvmlReading::energy_mj), 700'000);
  EXPECT_EQ(library.number(NvmlReading::link_generation), 5);
  EXPECT_EQ(library.number(NvmlReading::event_reasons), 0);
  EXPECT_EQ(library.number(NvmlReading::persistence), 1);
  EXPECT_EQ(library.devices.memory(0).value.total_bytes, library.devices.model().memory_bytes);
  EXPECT_EQ(library.devices.memory(0).value.used_bytes, 0U);
  EXPECT_EQ(library.devices.compute_mode(0).value, NvmlComputeMode::shared);
}

TEST(NvmlDevices, AScriptChangesReadingsOfItsDeviceOnly) {
  Library library("h100:2",
                  "gpu 0 power_w 120\ngpu 0 clock_mhz 900\ngpu 0 compute_mode exclusive\ngpu 0 memory_used_mib 3\n"
                  "gpu 0 ecc_pending 1\ngpu 0 driver 570.1\n");
  EXPECT_EQ(library.number(NvmlReading::power_mw), 120'000);
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz), 900);
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz, 1), 1980);
  EXPECT_EQ(library.number(NvmlReading::ecc_change_pending), 1);
  EXPECT_EQ(library.devices.compute_mode(0).value, NvmlComputeMode::exclusive_process);
  EXPECT_EQ(library.devices.memory(0).value.used_bytes, 3U << 20U);
  EXPECT_EQ(library.devices.driver_version(), "570.1");
}

TEST(NvmlDevices, ReadingsAreCountedForEachDevice) {
  Library library("h100:2", "gpu 0 after 3 readings temperature_c 91\n");
  EXPECT_EQ(library.number(NvmlReading::temperature_c), 45);
  EXPECT_EQ(library.number(NvmlReading::temperature_c, 1), 45);
  EXPECT_EQ(library.number(NvmlReading::temperature_c), 45);
  EXPECT_EQ(library.number(NvmlReading::temperature_c), 91);
}

TEST(NvmlDevices, ALostDeviceAnswersEachReadingWithTheError) {
  Library library("h100:2", "gpu 0 xid 79\ngpu 1 lost_answers 999\n");
  EXPECT_EQ(library.devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::gpu_is_lost);
  EXPECT_EQ(library.devices.memory(0).outcome, NvmlOutcome::gpu_is_lost);
  EXPECT_EQ(static_cast<int>(library.devices.processes(1).outcome), 999);
  EXPECT_EQ(library.devices.handle_at(0).outcome, NvmlOutcome::ok);
  EXPECT_EQ(library.devices.xid(0), 79);
}

TEST(NvmlDevices, TheReadingThatAScriptNamesIsTheFirstToFail) {
  Library library("h100", "gpu 0 after 2 readings lost_answers 15\n");
  EXPECT_EQ(library.devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::ok);
  EXPECT_EQ(library.devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::gpu_is_lost);
}

TEST(NvmlDevices, ADeviceThatTheMachineLostIsLost) {
  Library library("h100", "", {.is_lost = [](int) { return true; }});
  EXPECT_EQ(library.devices.read(0, NvmlReading::power_mw).outcome, NvmlOutcome::gpu_is_lost);
}

TEST(NvmlDevices, LocksHoldUntilTheyAreReset) {
  Library library("h100");
  EXPECT_EQ(library.devices.lock(0, NvmlClock::core, {1000, 1200}), NvmlOutcome::ok);
  EXPECT_EQ(library.devices.lock(0, NvmlClock::memory, {1500, 1500}), NvmlOutcome::ok);
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz), 1200);
  EXPECT_EQ(library.number(NvmlReading::memory_clock_mhz), 1500);
  EXPECT_EQ(library.devices.unlock(0, NvmlClock::core), NvmlOutcome::ok);
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz), 1980);
  EXPECT_EQ(library.number(NvmlReading::memory_clock_mhz), 1500);
}

TEST(NvmlDevices, ALockThatCannotBeIsRefused) {
  Library library("t4");
  EXPECT_EQ(library.devices.lock(0, NvmlClock::core, {1200, 1000}), NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.lock(0, NvmlClock::core, {0, 1000}), NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.lock(0, NvmlClock::core, {1000, 0xffffffffU}), NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.lock(0, NvmlClock::memory, {1000, 1000}), NvmlOutcome::not_supported);
  EXPECT_EQ(library.devices.lock(1, NvmlClock::core, {1000, 1000}), NvmlOutcome::invalid_argument);
}

TEST(NvmlDevices, WithoutPermissionNothingChanges) {
  Library library("h100", "gpu 0 permission 0\n");
  EXPECT_EQ(library.devices.set_persistence(0, false), NvmlOutcome::no_permission);
  EXPECT_EQ(library.devices.lock(0, NvmlClock::core, {900, 900}), NvmlOutcome::no_permission);
  EXPECT_EQ(library.number(NvmlReading::persistence), 1);
  EXPECT_EQ(library.number(NvmlReading::core_clock_mhz), 1980);
}

TEST(NvmlDevices, PersistenceIsWhatWasSet) {
  Library library("h100");
  EXPECT_EQ(library.devices.set_persistence(0, false), NvmlOutcome::ok);
  EXPECT_EQ(library.number(NvmlReading::persistence), 0);
}

TEST(NvmlDevices, TheScriptsProcessIsListedBesideTheRealOnes) {
  NvmlSources sources;
  sources.processes = [](int) { return std::vector<NvmlProcess>{{11, 7}, {12, std::nullopt}}; };
  Library library("h100", "gpu 0 process 4242 1\ngpu 0 after 3 readings process none\n", sources);
  const auto users = library.devices.processes(0).value;
  ASSERT_EQ(users.size(), 3U);
  EXPECT_EQ(users[2].pid, 4242U);
  EXPECT_EQ(users[2].used_bytes, 1U << 20U);
  EXPECT_EQ(library.devices.memory(0).value.used_bytes, (1U << 20U) + 7);
  EXPECT_EQ(library.devices.processes(0).value.size(), 2U);
}

TEST(NvmlDevices, ASplitDeviceHasInstancesWithNamesOfTheirOwn) {
  Library library("h100:2", "gpu 1 mig 1\ngpu 1 instances 2\n");
  EXPECT_FALSE(library.devices.is_split(0).value);
  EXPECT_TRUE(library.devices.is_split(1).value);
  EXPECT_EQ(library.devices.most_instances(0), 0U);
  EXPECT_EQ(library.devices.most_instances(1), 7U);
  const auto second = library.devices.instance_at(1, 1);
  ASSERT_EQ(second.outcome, NvmlOutcome::ok);
  const NvmlDevice instance = library.devices.device_of(second.value).value;
  EXPECT_EQ(instance.place, 1);
  EXPECT_EQ(instance.instance, 1);
  EXPECT_THAT(library.devices.uuid(instance), StartsWith("MIG-"));
  EXPECT_NE(library.devices.uuid(instance), library.devices.uuid({1, 0}));
  EXPECT_EQ(library.devices.handle_of_uuid(library.devices.uuid(instance)).value, second.value);
  EXPECT_EQ(library.devices.place_of(second.value).outcome, NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.instance_at(1, 2).outcome, NvmlOutcome::not_found);
  EXPECT_EQ(library.devices.instance_at(1, 7).outcome, NvmlOutcome::invalid_argument);
  EXPECT_EQ(library.devices.instance_at(0, 0).outcome, NvmlOutcome::not_found);
}

TEST(NvmlDevices, AModelWithoutInstancesCannotBeSplit) {
  Library library("l4", "gpu 0 mig 1\n");
  EXPECT_EQ(library.devices.is_split(0).outcome, NvmlOutcome::not_supported);
  EXPECT_EQ(library.devices.most_instances(0), 0U);
  EXPECT_EQ(library.devices.instance_at(0, 0).outcome, NvmlOutcome::not_found);
}

TEST(NvmlDevices, EveryOutcomeHasAText) {
  EXPECT_EQ(text_of_nvml_outcome(NvmlOutcome::gpu_is_lost), "the GPU is lost");
  EXPECT_EQ(text_of_nvml_outcome(static_cast<NvmlOutcome>(999)), "an error without a text");
}

}  // namespace
}  // namespace stepgate::emulator
