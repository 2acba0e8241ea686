// NVML: instances of a device that MIG splits.
#include "emulator/nvml/nvml_translation.h"

namespace stepgate::emulator {
namespace {

// The smallest instances of a split device have the numbers from 7 on, one for each slice.
constexpr int first_gpu_instance = 7;

NvmlAnswer<NvmlDevice> instance_of(nvmlDevice_t device) {
  NvmlAnswer<NvmlDevice> found = process_nvml().device_of(number_of(device));
  const bool is_whole = found.outcome == NvmlOutcome::ok && found.value.instance == NvmlDevice::whole;
  // As documented for a handle of a device that is no instance.
  if (is_whole) found.outcome = NvmlOutcome::invalid_argument;
  return found;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned* current, unsigned* pending) {
  if (current == nullptr || pending == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  const NvmlAnswer<bool> is_split = process_nvml().is_split(place.value);
  if (is_split.outcome == NvmlOutcome::ok) *current = *pending = is_split.value ? 1U : 0U;
  return code_of(is_split.outcome);
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned* count) {
  const NvmlAnswer<int> place = place_to_read(device);
  const unsigned most = place.outcome == NvmlOutcome::ok ? process_nvml().most_instances(place.value) : 0;
  return give(NvmlAnswer<unsigned>{place.outcome, most}, count);
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned index, nvmlDevice_t* instance) {
  if (instance == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  const NvmlAnswer<std::uintptr_t> found = process_nvml().instance_at(place.value, index);
  if (found.outcome == NvmlOutcome::ok) *instance = handle_from(found.value);
  return code_of(found.outcome);
}

nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned* id) {
  const NvmlAnswer<NvmlDevice> found = instance_of(device);
  return give(NvmlAnswer<int>{found.outcome, first_gpu_instance + found.value.instance}, id);
}

nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned* id) {
  // Each instance has one compute instance, which takes all of it.
  return give(NvmlAnswer<int>{instance_of(device).outcome, 0}, id);
}

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned* is_instance) {
  const NvmlAnswer<NvmlDevice> found = process_nvml().device_of(number_of(device));
  return give(NvmlAnswer<bool>{found.outcome, found.value.instance != NvmlDevice::whole}, is_instance);
}

nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t instance, nvmlDevice_t* device) {
  if (device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<NvmlDevice> found = instance_of(instance);
  if (found.outcome != NvmlOutcome::ok) return code_of(found.outcome);
  *device = handle_from(process_nvml().handle_at(static_cast<unsigned>(found.value.place)).value);
  return NVML_SUCCESS;
}

}  // extern "C"
