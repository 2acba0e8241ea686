// A driver that fails at any call with any error: nothing crashes, and every key has a value or a reason.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "environment/gpu/fake_nvml.h"
#include "environment/gpu/gpu_facts.h"
#include "environment/gpu/gpu_watch.h"

namespace stepgate {
namespace {

constexpr EvidenceKey gpu_keys[] = {
    EvidenceKey::gpu_hw_thermal_ns,      EvidenceKey::gpu_power_brake_ns,
    EvidenceKey::gpu_sw_thermal_ns,      EvidenceKey::gpu_sync_boost_ns,
    EvidenceKey::gpu_power_cap_fraction, EvidenceKey::other_gpu_processes,
    EvidenceKey::gpu_clock_mean_mhz,     EvidenceKey::gpu_clock_off_lock_fraction,
    EvidenceKey::gpu_temperature_c,      EvidenceKey::gpu_power_w,
    EvidenceKey::gpu_mps_clients,        EvidenceKey::gpu_memory_used_before_bytes,
};

const std::vector<std::string> functions = {
    "nvmlDeviceGetCount_v2",
    "nvmlDeviceGetHandleByIndex_v2",
    "nvmlDeviceGetHandleByUUID",
    "nvmlDeviceGetUUID",
    "nvmlDeviceGetName",
    "nvmlDeviceGetPciInfo_v3",
    "nvmlDeviceGetMigMode",
    "nvmlDeviceGetVirtualizationMode",
    "nvmlDeviceGetClockInfo",
    "nvmlDeviceGetCurrentClocksEventReasons",
    "nvmlDeviceGetTemperatureV",
    "nvmlDeviceGetPowerUsage",
    "nvmlDeviceGetEnforcedPowerLimit",
    "nvmlDeviceGetFieldValues",
    "nvmlDeviceGetMaxPcieLinkGeneration",
    "nvmlDeviceGetMaxPcieLinkWidth",
    "nvmlDeviceGetEccMode",
    "nvmlDeviceGetComputeMode",
    "nvmlDeviceGetComputeRunningProcesses_v3",
    "nvmlDeviceGetMPSComputeRunningProcesses_v3",
    "nvmlDeviceGetMemoryInfo_v2",
    "nvmlDeviceGetMaxMigDeviceCount",
    "nvmlDeviceGetMigDeviceHandleByIndex",
    "nvmlDeviceGetGpuInstanceId",
    "nvmlDeviceGetComputeInstanceId",
};

/// Four samples of one GPU inside the timed passes.
void expect_every_key_has_a_value_or_a_reason(const std::string& script) {
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  ASSERT_NE(library.get(), nullptr) << script;
  const std::vector<std::string> uuids = {FakeNvml::uuid(0)};
  GpuWatch watch(library.get(), {.uuids = uuids, .locked_clock_mhz = 1500});
  for (int i = 0; i < 4; ++i) watch.look([] { return MeasuredStage::measuring; }, i * 200'000'000);
  Evidence evidence;
  watch.add_to(evidence);
  for (const EvidenceKey key : gpu_keys) {
    const bool has_value = evidence.values.contains(key);
    ASSERT_NE(has_value, evidence.absent.contains(key)) << script << ": " << name_of(key);
    if (!has_value) {
      ASSERT_NE(evidence.absent.at(key), "") << script << ": " << name_of(key);
    } else {
      ASSERT_GE(evidence.values.at(key), 0) << script << ": " << name_of(key);
    }
  }
  static_cast<void>(watch.lost());
  for (const auto& [key, fact] : gpu_facts(*library.get(), uuids)) ASSERT_NE(fact, "") << script << ": " << key;
}

void fail_every_call(FakeNvml& fake) {
  for (const std::string& function : functions) {
    for (const int error : {1, 2, 3, 4, 6, 7, 9, 13, 15, 24, 25, 26, 28, 999, -1}) {
      for (const char* when : {"", "@2", "@2!", "@3", "@4!"}) {
        const std::string script = function + "=" + std::to_string(error) + when;
        fake.set("FAIL", script);
        ASSERT_NO_FATAL_FAILURE(expect_every_key_has_a_value_or_a_reason(script));
      }
    }
  }
}

TEST(HostileDriver, EveryCallMayFailWithEveryError) {
  FakeNvml fake;
  fake.set("PROCESSES", "0,1");
  fail_every_call(fake);
}

TEST(HostileDriver, EveryCallMayFailOnASplitGpu) {
  FakeNvml fake;
  fake.set("PROCESSES", "0,1");
  fake.set("MIG", "1");
  fake.set("INSTANCES", "2");
  fail_every_call(fake);
}

TEST(HostileDriver, EveryValueMayBeNonsense) {
  FakeNvml fake;
  for (const char* counters : {"270=5,9,3", "270=9,3,90", "270=nan 271=negative 74=typeless 76=old",
                               "74=18446744073709551615,0", "74=0,18446744073709551615"}) {
    fake.set("COUNTERS", counters);
    ASSERT_NO_FATAL_FAILURE(expect_every_key_has_a_value_or_a_reason(counters));
  }
  fake.set("COUNTERS", "");
  for (const char* name : {"MIG", "VIRTUALIZATION", "HIDDEN_NUMBERS", "BEYOND", "ECC", "COMPUTE_MODE"}) {
    fake.set(name, "4000000000");
    ASSERT_NO_FATAL_FAILURE(expect_every_key_has_a_value_or_a_reason(name));
    fake.set(name, "0");
  }
  fake.set("PROCESSES", "0,70,3,999999");
  ASSERT_NO_FATAL_FAILURE(expect_every_key_has_a_value_or_a_reason("many processes"));
}

TEST(HostileDriver, AListWithoutOursOnASplitGpuIsNoCount) {
  FakeNvml fake;
  fake.set("MIG", "1");
  const NvmlLibrary library = NvmlLibrary::open(FakeNvml::path);
  GpuWatch watch(library.get(), {.uuids = {FakeNvml::uuid(0)}});
  watch.look([] { return MeasuredStage::measuring; }, 0);
  Evidence evidence;
  watch.add_to(evidence);
  EXPECT_EQ(evidence.absent.at(EvidenceKey::other_gpu_processes), "not observable: the GPU is split (MIG)");
}

}  // namespace
}  // namespace stepgate
