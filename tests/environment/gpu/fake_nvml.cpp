// A fake NVIDIA management library: the same symbols. Environment variables, read at each call, are its script.
// fake_nvml.h lists them. Built twice, the second time as an older library that lacks some functions.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <sstream>
#include <thread>

#include "environment/gpu/fake_nvml_answers.h"
#include "environment/gpu/fake_nvml_script.h"
#include "environment/gpu/nvml_table.h"

using namespace stepgate::fake_nvml;
namespace nvml = stepgate::nvml;

struct stepgate::nvml::Device {
  unsigned index;
  int instance = -1;  ///< of MIG; -1: the GPU itself
};

struct stepgate::nvml::EventSet {
  unsigned told = 0;  ///< of the faults in the script
};

namespace {

constexpr unsigned most_gpus = 8;
constexpr unsigned most_instances = 4;
constexpr unsigned highest_core_mhz = 1980;
constexpr unsigned highest_memory_mhz = 2619;
nvml::Device devices[most_gpus] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
[[maybe_unused]] nvml::Device instances[most_instances] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};  // of the first GPU

}  // namespace

#define GO_ON_OR_FAIL                                                         \
  do {                                                                        \
    if (const int failure = scripted(__func__); failure != 0) return failure; \
  } while (false)

extern "C" {

int nvmlInit_v2() {
  if (const int failure = scripted_start(__func__); failure != 0) return failure;
  write_log("init");
  return nvml::success;
}
int nvmlShutdown() {
  GO_ON_OR_FAIL;
  end();
  write_log("shutdown");
  return nvml::success;
}
const char* nvmlErrorString(int result) {
  if (result == nvml::not_supported) return "Not Supported";
  return result == nvml::no_permission ? "Insufficient Permissions" : "Some Error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  GO_ON_OR_FAIL;
  return copy_text("999.42", text, length);
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  GO_ON_OR_FAIL;
  *count = std::min(number("GPUS", 1), most_gpus);
  return nvml::success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device** device) {
  GO_ON_OR_FAIL;
  // A container sees the number of GPUs of the machine and may not open all of them.
  if (index < number("GPUS_OF_OTHERS", 0)) return nvml::no_permission;
  if (index >= number("GPUS", 1)) return nvml::invalid_argument;
  *device = &devices[index];
  return nvml::success;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, nvml::Device** device) {
  GO_ON_OR_FAIL;
  if (std::strncmp(uuid, "GPU-", 4) != 0) return nvml::invalid_argument;
  for (unsigned index = 0; index < std::min(number("GPUS", 1), most_gpus); ++index) {
    if (uuid_of(index) != uuid) continue;
    *device = &devices[index];
    return nvml::success;
  }
  return nvml::not_found;
}

int nvmlDeviceGetUUID(nvml::Device* device, char* text, unsigned length) {
  GO_ON_OR_FAIL;
  if (device->instance >= 0) return copy_text("MIG-fa4e-" + std::to_string(device->instance), text, length);
  return copy_text(uuid_of(device->index), text, length);
}
int nvmlDeviceGetName(nvml::Device* device, char* text, unsigned length) {
  GO_ON_OR_FAIL;
  return copy_text(value_of(setting("NAMES", ""), std::to_string(device->index), "Fake H200"), text, length);
}
int nvmlDeviceGetPciInfo_v3(nvml::Device* device, nvml::PciInfo* pci) {
  GO_ON_OR_FAIL;
  const char digit = "3456789A"[device->index];
  return copy_text(std::string("00000000:") + digit + "B:00.0", pci->bus_id, sizeof pci->bus_id);
}
int nvmlDeviceGetVirtualizationMode(nvml::Device*, int* mode) {
  GO_ON_OR_FAIL;
  *mode = static_cast<int>(number("VIRTUALIZATION", 0));
  return nvml::success;
}

int nvmlDeviceGetPersistenceMode(nvml::Device* device, int* mode) {
  GO_ON_OR_FAIL;
  *mode = read_state(device->index).persistence;
  return nvml::success;
}
int nvmlDeviceSetPersistenceMode(nvml::Device* device, int mode) {
  GO_ON_OR_FAIL;
  State state = read_state(device->index);
  state.persistence = mode;
  write_state(device->index, state);
  return nvml::success;
}
int nvmlDeviceSetGpuLockedClocks(nvml::Device* device, unsigned, unsigned highest) {
  GO_ON_OR_FAIL;
  State state = read_state(device->index);
  state.core_mhz = std::min(highest, highest_core_mhz);
  write_state(device->index, state);
  return nvml::success;
}
int nvmlDeviceResetGpuLockedClocks(nvml::Device* device) {
  GO_ON_OR_FAIL;
  State state = read_state(device->index);
  state.core_mhz = 0;
  write_state(device->index, state);
  return nvml::success;
}

int nvmlDeviceGetClockInfo(nvml::Device* device, int type, unsigned* mhz) {
  GO_ON_OR_FAIL;
  const State state = read_state(device->index);
  const std::string script = setting("CLOCK", "");
  if (type == nvml::clock_memory) {
    *mhz = state.memory_mhz == 0 ? highest_memory_mhz : state.memory_mhz;
  } else if (!script.empty()) {
    *mhz = next_of(script);
  } else {
    *mhz = state.core_mhz == 0 ? highest_core_mhz : state.core_mhz;
  }
  return nvml::success;
}
int nvmlDeviceGetMaxClockInfo(nvml::Device*, int type, unsigned* mhz) {
  GO_ON_OR_FAIL;
  *mhz = type == nvml::clock_memory ? highest_memory_mhz : highest_core_mhz;
  return nvml::success;
}
int nvmlDeviceGetPowerUsage(nvml::Device*, unsigned* milliwatts) {
  GO_ON_OR_FAIL;
  std::this_thread::sleep_for(std::chrono::milliseconds(number("SLOW_MS", 0)));
  *milliwatts = 423500;
  return nvml::success;
}
int nvmlDeviceGetTotalEnergyConsumption(nvml::Device*, unsigned long long* millijoules) {
  GO_ON_OR_FAIL;
  *millijoules = std::stoull(next_value("ENERGY_MJ", setting("ENERGY_MJ", "1000")));
  return nvml::success;
}
int nvmlDeviceGetEnforcedPowerLimit(nvml::Device*, unsigned* milliwatts) {
  GO_ON_OR_FAIL;
  *milliwatts = static_cast<unsigned>(std::stoul(next_value("POWER_LIMIT_MW", setting("POWER_LIMIT_MW", "700000"))));
  return nvml::success;
}
int nvmlDeviceGetFieldValues(nvml::Device*, int count, nvml::FieldValue* fields) {
  GO_ON_OR_FAIL;
  for (int i = 0; i < count; ++i) fill(fields[i]);
  return nvml::success;
}
int nvmlDeviceGetCurrPcieLinkGeneration(nvml::Device*, unsigned* generation) {
  GO_ON_OR_FAIL;
  *generation = 3;  // idle
  return nvml::success;
}
int nvmlDeviceGetCurrPcieLinkWidth(nvml::Device*, unsigned* width) {
  GO_ON_OR_FAIL;
  *width = 16;
  return nvml::success;
}
int nvmlDeviceGetMaxPcieLinkGeneration(nvml::Device*, unsigned* generation) {
  GO_ON_OR_FAIL;
  *generation = 5;
  return nvml::success;
}
int nvmlDeviceGetMaxPcieLinkWidth(nvml::Device*, unsigned* width) {
  GO_ON_OR_FAIL;
  *width = 16;
  return nvml::success;
}
int nvmlDeviceGetEccMode(nvml::Device*, int* now, int* pending) {
  GO_ON_OR_FAIL;
  *now = static_cast<int>(number("ECC", 1));
  *pending = 0;
  return nvml::success;
}
int nvmlDeviceGetComputeMode(nvml::Device*, int* mode) {
  GO_ON_OR_FAIL;
  *mode = static_cast<int>(number("COMPUTE_MODE", 3));
  return nvml::success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device*, unsigned* count, nvml::ProcessInfo* rows) {
  GO_ON_OR_FAIL;
  return list("PROCESSES", count, rows);
}
int nvmlDeviceGetCpuAffinityWithinScope(nvml::Device*, unsigned length, unsigned long* words, unsigned scope) {
  GO_ON_OR_FAIL;
  if (scope != nvml::affinity_scope_node || length == 0) return nvml::invalid_argument;
  std::fill(words, words + length, 0UL);
  words[0] = std::stoul(setting("CPU_MASK", "f0"), nullptr, 16);
  return nvml::success;
}

int nvmlEventSetCreate(nvml::EventSet** events) {
  GO_ON_OR_FAIL;
  *events = new nvml::EventSet;
  return nvml::success;
}
int nvmlEventSetFree(nvml::EventSet* events) {
  delete events;
  return nvml::success;
}
int nvmlDeviceRegisterEvents(nvml::Device*, unsigned long long types, nvml::EventSet*) {
  GO_ON_OR_FAIL;
  return types == nvml::event_xid ? nvml::success : nvml::not_supported;
}
int nvmlEventSetWait_v2(nvml::EventSet* events, nvml::EventData* data, unsigned) {
  GO_ON_OR_FAIL;
  std::istringstream xids(setting("XIDS", ""));
  unsigned long long xid = 0;
  for (unsigned told = 0; xids >> xid; ++told) {
    if (told < events->told) continue;
    ++events->told;
    *data = {nullptr, nvml::event_xid, xid, 0, 0};
    return nvml::success;
  }
  return nvml::timeout;
}

#ifdef FAKE_NVML_OLD
int nvmlDeviceGetTemperature(nvml::Device*, int sensor, unsigned* celsius) {
  GO_ON_OR_FAIL;
  if (sensor != nvml::temperature_of_gpu) return nvml::invalid_argument;
  *celsius = 55;
  return nvml::success;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device*, unsigned long long* reasons) {
  GO_ON_OR_FAIL;
  *reasons = number("REASONS", 0);
  return nvml::success;
}
#else
int nvmlDeviceGetTemperatureV(nvml::Device*, nvml::Temperature* temperature) {
  GO_ON_OR_FAIL;
  if (temperature->version != nvml::temperature_version) return nvml::version_mismatch;
  temperature->celsius = static_cast<int>(number("TEMPERATURE", 61));
  return nvml::success;
}
int nvmlDeviceGetCurrentClocksEventReasons(nvml::Device*, unsigned long long* reasons) {
  GO_ON_OR_FAIL;
  *reasons = number("REASONS", 0);
  return nvml::success;
}
int nvmlDeviceGetMigMode(nvml::Device*, unsigned* now, unsigned* pending) {
  GO_ON_OR_FAIL;
  *now = *pending = number("MIG", 0);
  return nvml::success;
}
int nvmlDeviceGetMaxMigDeviceCount(nvml::Device*, unsigned* count) {
  GO_ON_OR_FAIL;
  *count = most_instances;
  return nvml::success;
}
int nvmlDeviceGetMigDeviceHandleByIndex(nvml::Device* device, unsigned index, nvml::Device** instance) {
  GO_ON_OR_FAIL;
  if (device->index != 0 || index >= std::min(number("INSTANCES", 0), most_instances)) return nvml::not_found;
  *instance = &instances[index];
  return nvml::success;
}
int nvmlDeviceGetGpuInstanceId(nvml::Device* device, unsigned* id) {
  GO_ON_OR_FAIL;
  *id = static_cast<unsigned>(device->instance) + 7;
  return nvml::success;
}
int nvmlDeviceGetComputeInstanceId(nvml::Device*, unsigned* id) {
  GO_ON_OR_FAIL;
  *id = 0;
  return nvml::success;
}
int nvmlDeviceSetMemoryLockedClocks(nvml::Device* device, unsigned, unsigned highest) {
  GO_ON_OR_FAIL;
  State state = read_state(device->index);
  state.memory_mhz = std::min(highest, highest_memory_mhz);
  write_state(device->index, state);
  return nvml::success;
}
int nvmlDeviceResetMemoryLockedClocks(nvml::Device* device) {
  GO_ON_OR_FAIL;
  State state = read_state(device->index);
  state.memory_mhz = 0;
  write_state(device->index, state);
  return nvml::success;
}
int nvmlDeviceGetMPSComputeRunningProcesses_v3(nvml::Device*, unsigned* count, nvml::ProcessInfo* rows) {
  GO_ON_OR_FAIL;
  return list("MPS", count, rows);
}
int nvmlDeviceGetMemoryInfo_v2(nvml::Device*, nvml::MemoryInfo* memory) {
  GO_ON_OR_FAIL;
  if (memory->version != nvml::memory_info_version) return nvml::version_mismatch;
  *memory = {memory->version, 150ULL << 30, 1ULL << 30, 148ULL << 30, 1ULL << 30};
  return nvml::success;
}
#endif

}  // extern "C"
