// NVML: start and end, devices and their identity, memory, ECC, compute mode, links to the host.
#include <unistd.h>

#include <cstdio>

#include "emulator/machine/refusal.h"
#include "emulator/model/shown_devices.h"
#include "emulator/nvml/nvml_translation.h"

namespace stepgate::emulator {
namespace {

constexpr int cuda_version_of_driver = 13000;  // 13.0: 1000 x major + 10 x minor

nvmlReturn_t find(const NvmlAnswer<std::uintptr_t>& found, nvmlDevice_t* device) {
  if (device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (!process_nvml().is_started()) return NVML_ERROR_UNINITIALIZED;
  if (found.outcome == NvmlOutcome::ok) *device = handle_from(found.value);
  return code_of(found.outcome);
}

/// A fact of the model is answered while the device answers at all.
template <typename Number>
nvmlReturn_t give_fact(nvmlDevice_t device, std::int64_t fact, Number* into) {
  const NvmlAnswer<int> place = place_to_read(device);
  return give(NvmlAnswer<std::int64_t>{place.outcome, fact}, into);
}

nvmlPciInfo_t pci_info_of(int place) {
  nvmlPciInfo_t info{};
  const std::string id = bus_id_text(place);
  info.bus = bus_number(place);
  std::snprintf(info.busId, sizeof(info.busId), "%s", id.c_str());
  // The older form has a domain of four digits.
  std::snprintf(info.busIdLegacy, sizeof(info.busIdLegacy), "%s", id.c_str() + 4);
  return info;
}

/// Every CPU that is online: the emulated devices are near none.
void add_all_cpus(unsigned long* words, unsigned count) {
  constexpr long bits = 8 * static_cast<long>(sizeof(unsigned long));
  std::fill(words, words + count, 0UL);
  const long cpus = std::min(::sysconf(_SC_NPROCESSORS_ONLN), bits * static_cast<long>(count));
  for (long cpu = 0; cpu < cpus; ++cpu) words[cpu / bits] |= 1UL << static_cast<unsigned>(cpu % bits);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  process_nvml().start();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags) {
  if (flags != 0) refuse("nvmlInitWithFlags", "flags");
  return nvmlInit_v2();
}

nvmlReturn_t nvmlShutdown() { return code_of(process_nvml().stop()); }

const char* nvmlErrorString(nvmlReturn_t result) {
  // Views of literals: a zero follows.
  return text_of_nvml_outcome(static_cast<NvmlOutcome>(result)).data();
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length) {
  if (!process_nvml().is_started()) return NVML_ERROR_UNINITIALIZED;
  return give_text(process_nvml().driver_version(), version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return give(NvmlAnswer<int>{NvmlOutcome::ok, cuda_version_of_driver}, version);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) { return nvmlSystemGetCudaDriverVersion_v2(version); }

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* count) {
  if (!process_nvml().is_started()) return NVML_ERROR_UNINITIALIZED;
  return give(NvmlAnswer<int>{NvmlOutcome::ok, process_nvml().count()}, count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* device) {
  return find(process_nvml().handle_at(index), device);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  if (uuid == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  return find(process_nvml().handle_of_uuid(uuid), device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
  if (bus_id == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  return find(process_nvml().handle_of_bus(bus_id), device);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned* index) { return give(place_of(device), index); }

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned length) {
  const NvmlAnswer<NvmlDevice> found = process_nvml().device_of(number_of(device));
  if (found.outcome != NvmlOutcome::ok) return code_of(found.outcome);
  return give_text(process_nvml().uuid(found.value), uuid, length);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned length) {
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  return give_text(std::string(process_nvml().model().name), name, length);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  if (pci == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome == NvmlOutcome::ok) *pci = pci_info_of(place.value);
  return code_of(place.outcome);
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  *major = process_nvml().model().major;
  *minor = process_nvml().model().minor;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, nvmlGpuVirtualizationMode_t* mode) {
  return give_fact(device, NVML_GPU_VIRTUALIZATION_MODE_NONE, mode);
}

nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned words, unsigned long* cpus,
                                                 nvmlAffinityScope_t scope) {
  const bool is_scope = scope == NVML_AFFINITY_SCOPE_NODE || scope == NVML_AFFINITY_SCOPE_SOCKET;
  if (cpus == nullptr || words == 0 || !is_scope) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_to_read(device);
  if (place.outcome == NvmlOutcome::ok) add_all_cpus(cpus, words);
  return code_of(place.outcome);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  if (memory == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  const NvmlAnswer<NvmlMemory> now = process_nvml().memory(place.value);
  if (now.outcome == NvmlOutcome::ok) {
    *memory = {now.value.total_bytes, now.value.total_bytes - now.value.used_bytes, now.value.used_bytes};
  }
  return code_of(now.outcome);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  if (memory == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  nvmlMemory_t now{};
  const nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &now);
  // The model's bytes are what CUDA gives out, so nothing of them is the driver's own.
  if (result == NVML_SUCCESS) *memory = {memory->version, now.total, 0, now.free, now.used};
  return result;
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current, nvmlEnableState_t* pending) {
  if (current == nullptr || pending == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  int changes = 0;
  const nvmlReturn_t result = read_number(device, NvmlReading::ecc_change_pending, &changes);
  if (result != NVML_SUCCESS) return result;
  *current = NVML_FEATURE_ENABLED;
  *pending = changes != 0 ? NVML_FEATURE_DISABLED : NVML_FEATURE_ENABLED;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  return give(process_nvml().compute_mode(place.value), mode);
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned* generation) {
  return read_number(device, NvmlReading::link_generation, generation);
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned* width) {
  return read_number(device, NvmlReading::link_width, width);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned* generation) {
  return give_fact(device, process_nvml().model().pcie_generation, generation);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned* width) {
  return give_fact(device, nvml_link_lanes, width);
}

}  // extern "C"
