#include "environment/gpu/nvml_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/fake_root.h"
#include "environment/gpu/fake_nvml.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string uuid() { return FakeNvml::uuid(0); }

TEST(NvmlLibrary, IsAbsentWithAReasonWhereThereIsNone) {
  const NvmlLibrary library = NvmlLibrary::open("/nowhere/libnvidia-ml.so.1");
  EXPECT_EQ(library.get(), nullptr);
  EXPECT_EQ(library.code(), ENODEV);
  EXPECT_THAT(library.reason(), HasSubstr("no NVIDIA driver: /nowhere/libnvidia-ml.so.1"));
}

TEST(NvmlLibrary, IsAbsentWhereTheLibraryIsAnotherOne) {
  const NvmlLibrary library = NvmlLibrary::open("libm.so.6");
  EXPECT_EQ(library.get(), nullptr);
  EXPECT_EQ(library.code(), ENOTSUP);
  EXPECT_EQ(library.reason(), "the driver's library has no nvmlShutdown");
}

TEST(NvmlLibrary, IsAbsentWhereTheDriverDoesNotStart) {
  FakeNvml fake;
  const FakeRoot root;
  fake.set("LOG", root.path() / "log");
  fake.set("FAIL", "nvmlInit_v2=9");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  EXPECT_EQ(library.get(), nullptr);
  EXPECT_EQ(library.code(), ENODEV);
  EXPECT_EQ(library.reason(), "nvmlInit_v2: Some Error");
  fake.set("FAIL", "nvmlInit_v2=4");
  EXPECT_EQ(NvmlLibrary::open(FakeNvml::path).code(), EPERM);
  EXPECT_EQ(FakeNvml::content(root.path() / "log"), "") << "what did not start is not shut down";
}

TEST(NvmlLibrary, IsStartedOnceAndShutDownOnce) {
  FakeNvml fake;
  const FakeRoot root;
  fake.set("LOG", root.path() / "log");
  {
    NvmlLibrary first = NvmlLibrary::open(FakeNvml::path);
    ASSERT_NE(first.get(), nullptr) << first.reason();
    const NvmlLibrary moved = std::move(first);
    EXPECT_EQ(FakeNvml::content(root.path() / "log"), "init\n");
    EXPECT_EQ(moved.get()->version().value, "999.42");
  }
  EXPECT_EQ(FakeNvml::content(root.path() / "log"), "init\nshutdown\n");
}

TEST(NvmlLibrary, ListsTheGpusThatItMayOpen) {
  FakeNvml fake;
  fake.set("GPUS", "3");
  fake.set("GPUS_OF_OTHERS", "1");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  const auto gpus = library.get()->gpus();
  ASSERT_TRUE(gpus.value) << gpus.reason;
  ASSERT_EQ(gpus.value->size(), 2U);
  EXPECT_EQ(gpus.value->at(0).uuid, FakeNvml::uuid(1));
  EXPECT_EQ(gpus.value->at(0).name, "Fake H200");
  EXPECT_EQ(gpus.value->at(0).pci_bus_id, "00000000:4B:00.0");
  EXPECT_EQ(gpus.value->at(0).mig, Mig::off);
  EXPECT_FALSE(gpus.value->at(0).is_virtual);
  fake.set("GPUS_OF_OTHERS", "3");
  EXPECT_EQ(library.get()->gpus().code, EPERM) << "all of them are somebody else's";
  fake.set("GPUS", "0");
  EXPECT_THAT(library.get()->gpus().value.value(), IsEmpty()) << "a driver without a GPU is no error";
}

TEST(NvmlLibrary, SaysWhetherAGpuIsShared) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  const auto gpu = [&] { return library.get()->gpus().value.value().at(0); };
  fake.set("MIG", "1");
  EXPECT_EQ(gpu().mig, Mig::on);
  EXPECT_THAT(gpu().instances, IsEmpty());
  fake.set("INSTANCES", "2");
  ASSERT_EQ(gpu().instances.size(), 2U);
  EXPECT_EQ(gpu().instances[1].uuid, "MIG-fa4e-1");
  EXPECT_EQ(gpu().instances[1].gpu_instance, 8);
  EXPECT_EQ(gpu().instances[1].compute_instance, 0);
  fake.set("FAIL", "nvmlDeviceGetGpuInstanceId=999");
  EXPECT_THAT(gpu().instances, IsEmpty()) << "of what the driver does not describe nothing is known";
  fake.set("FAIL", "nvmlDeviceGetMigMode=3");
  EXPECT_EQ(gpu().mig, Mig::off) << "what cannot be split is whole";
  fake.set("FAIL", "nvmlDeviceGetMigMode=999");
  EXPECT_EQ(gpu().mig, Mig::unknown);
  fake.set("VIRTUALIZATION", "1");
  EXPECT_FALSE(gpu().is_virtual) << "a GPU passed through is whole";
  fake.set("VIRTUALIZATION", "2");
  EXPECT_TRUE(gpu().is_virtual);
}

TEST(NvmlLibrary, ReadsInPlainUnits) {
  FakeNvml fake;
  fake.set("COUNTERS", "74=1000 76=2 269=3 270=old 271=5000000000");
  fake.set("CPU_MASK", "800000000000000f");
  fake.set("REASONS", "4");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuDriver& driver = *library.get();
  EXPECT_EQ(driver.clock_mhz(uuid(), GpuClock::core).value, 1980);
  EXPECT_EQ(driver.highest_clock_mhz(uuid(), GpuClock::memory).value, 2619);
  EXPECT_EQ(driver.temperature_c(uuid()).value, 61);
  EXPECT_DOUBLE_EQ(driver.power_w(uuid()).value.value(), 423.5);
  EXPECT_DOUBLE_EQ(driver.power_limit_w(uuid()).value.value(), 700);
  EXPECT_EQ(driver.idle(uuid()).value, false);
  EXPECT_EQ(driver.pcie_link(uuid()).value.value().generation, 3) << "now, and idle";
  EXPECT_EQ(driver.highest_pcie_link(uuid()).value.value().generation, 5);
  EXPECT_EQ(driver.highest_pcie_link(uuid()).value.value().width, 16);
  EXPECT_EQ(driver.pcie_link(uuid()).value.value().width, 16);
  EXPECT_EQ(driver.ecc(uuid()).value, true) << "as it is, not as after the next reboot";
  EXPECT_EQ(driver.compute_mode(uuid()).value, "exclusive process");
  EXPECT_EQ(driver.memory_used_bytes(uuid()).value, 1 << 30);
  EXPECT_THAT(driver.near_cpus(uuid()).value.value(), ElementsAre(0, 1, 2, 3, 63));
  const GpuCounters counters = driver.counters(uuid());
  EXPECT_EQ(counters.power_cap_ns.value, 1000);
  EXPECT_EQ(counters.sync_boost_ns.value, 2);
  EXPECT_EQ(counters.software_thermal_ns.value, 3);
  EXPECT_EQ(counters.hardware_thermal_ns.code, ENOTSUP) << "a driver older than the field";
  EXPECT_EQ(counters.power_brake_ns.value, 5000000000);
  fake.set("REASONS", "1");
  EXPECT_EQ(driver.idle(uuid()).value, true);
}

TEST(NvmlLibrary, CountsAnyNumberOfProcesses) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  for (const int count : {0, 1, 64, 65, 300}) {
    fake.set("PROCESSES", std::to_string(count));
    EXPECT_EQ(library.get()->users(uuid()).value.value().processes, count);
  }
}

TEST(NvmlLibrary, CountsAClientOfMpsOnce) {
  FakeNvml fake;
  fake.set("PROCESSES", "3");
  fake.set("MPS", "2");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  const GpuUsers users = library.get()->users(uuid()).value.value();
  EXPECT_EQ(users.processes, 3) << "the server and two clients, which are in both lists";
  EXPECT_EQ(users.mps_clients, 2);
  fake.set("HIDDEN_NUMBERS", "1");
  EXPECT_EQ(library.get()->users(uuid()).value.value().processes, 5) << "nothing says that two of them are one";
  fake.set("FAIL", "nvmlDeviceGetMPSComputeRunningProcesses_v3=4");
  EXPECT_EQ(library.get()->users(uuid()).code, EPERM) << "others may hide there";
}

TEST(NvmlLibrary, BelievesNoListThatIsLongerThanItsRoom) {
  FakeNvml fake;
  fake.set("BEYOND", "1");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  EXPECT_EQ(library.get()->users(uuid()).code, EIO);
  EXPECT_THAT(library.get()->users(uuid()).reason, HasSubstr("says that it lists 1073741824 processes"));
}

TEST(NvmlLibrary, BelievesNoCounterThatMakesNoSense) {
  FakeNvml fake;
  fake.set("COUNTERS", "74=nan 76=negative 269=typeless 270=18446744073709551615 271=5");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  const GpuCounters counters = library.get()->counters(uuid());
  EXPECT_EQ(counters.power_cap_ns.code, EIO);
  EXPECT_EQ(counters.sync_boost_ns.reason, "field 76 is below zero");
  EXPECT_EQ(counters.software_thermal_ns.reason, "field 269 is of no known type");
  EXPECT_EQ(counters.hardware_thermal_ns.code, EIO) << "more than an integer holds";
  EXPECT_EQ(counters.power_brake_ns.value, 5);
}

TEST(NvmlLibrary, DistinguishesPermissionSupportAndAMissingGpu) {
  FakeNvml fake;
  fake.set("FAIL",
           "nvmlDeviceSetPersistenceMode=4 nvmlDeviceSetGpuLockedClocks=3 nvmlDeviceGetPowerUsage=15"
           " nvmlDeviceGetClockInfo=999");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuDriver& driver = *library.get();
  EXPECT_EQ(driver.set_persistence(uuid(), true).code, EPERM);
  EXPECT_EQ(driver.set_persistence(uuid(), true).reason, "nvmlDeviceSetPersistenceMode: Insufficient Permissions");
  EXPECT_EQ(driver.lock_clock(uuid(), GpuClock::core, {1500, 1500}).code, ENOTSUP);
  EXPECT_EQ(driver.power_w(uuid()).code, ENODEV) << "fallen off the bus";
  EXPECT_EQ(driver.clock_mhz(uuid(), GpuClock::core).code, EIO);
  EXPECT_EQ(driver.persistence(FakeNvml::uuid(3)).code, ENODEV);
  EXPECT_EQ(driver.persistence("0").code, ENODEV) << "an index is no UUID";
}

TEST(NvmlLibrary, RefusesAClockBelowOne) {
  const FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  for (const ClockRange range :
       {ClockRange{0, 0}, ClockRange{-1, 1500}, ClockRange{1500, 1400}, ClockRange{0xffffff01, 0xffffff01}}) {
    EXPECT_EQ(library.get()->lock_clock(uuid(), GpuClock::core, range).code, EINVAL) << range.lowest_mhz;
  }
  EXPECT_EQ(library.get()->clock_mhz(uuid(), GpuClock::core).value, 1980);
}

TEST(NvmlLibrary, AMissingFunctionDisablesOnlyItsCall) {
  FakeNvml fake;
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::old_path);
  ASSERT_NE(library.get(), nullptr) << library.reason();
  GpuDriver& driver = *library.get();
  EXPECT_EQ(driver.lock_clock(uuid(), GpuClock::memory, {2000, 2000}).code, ENOTSUP);
  EXPECT_EQ(driver.memory_used_bytes(uuid()).reason, "the driver's library has no nvmlDeviceGetMemoryInfo_v2");
  EXPECT_EQ(driver.users(uuid()).value.value().mps_clients, std::nullopt);
  EXPECT_EQ(driver.gpus().value.value().at(0).mig, Mig::unknown);
  EXPECT_EQ(driver.lock_clock(uuid(), GpuClock::core, {1500, 1500}).code, 0);
  EXPECT_EQ(driver.clock_mhz(uuid(), GpuClock::core).value, 1500);
  EXPECT_EQ(driver.temperature_c(uuid()).value, 55) << "by its older name";
  fake.set("REASONS", "1");
  EXPECT_EQ(driver.idle(uuid()).value, true) << "by its older name";
}

}  // namespace
}  // namespace stepgate
