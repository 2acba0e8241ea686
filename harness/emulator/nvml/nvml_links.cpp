// NVML: NVLink, access between devices, and sets of events.
#include "emulator/machine/refusal.h"
#include "emulator/nvml/nvml_translation.h"

namespace stepgate::emulator {
namespace {

constexpr int hopper = 9;
constexpr unsigned links_of_hopper = 18;
constexpr unsigned links_of_ampere = 12;
constexpr unsigned no_instance = 0xFFFFFFFFU;

/// Of a device whose links go to switches, as in a server with eight of them.
unsigned links_of(const DeviceModel& model) {
  if (!model.peer_links) return 0;
  return model.major >= hopper ? links_of_hopper : links_of_ampere;
}

/// not_supported without links; invalid_argument for a number that no link has.
nvmlReturn_t check_link(nvmlDevice_t device, unsigned link) {
  const NvmlAnswer<int> place = place_to_read(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  const unsigned links = links_of(process_nvml().model());
  if (links == 0) return NVML_ERROR_NOT_SUPPORTED;
  return link < links ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

std::uintptr_t number_of_set(nvmlEventSet_t set) { return reinterpret_cast<std::uintptr_t>(set); }

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned link, nvmlIntNvLinkDeviceType_t* type) {
  if (type == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const nvmlReturn_t result = check_link(device, link);
  if (result == NVML_SUCCESS) *type = NVML_NVLINK_DEVICE_TYPE_SWITCH;
  return result;
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned link, nvmlEnableState_t* state) {
  if (state == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const nvmlReturn_t result = check_link(device, link);
  if (result == NVML_SUCCESS) *state = NVML_FEATURE_ENABLED;
  return result;
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned link, nvmlPciInfo_t* pci) {
  if (pci == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const nvmlReturn_t result = check_link(device, link);
  if (result == NVML_SUCCESS) refuse("nvmlDeviceGetNvLinkRemotePciInfo_v2", "the address of a switch");
  return result;
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t from, nvmlDevice_t to, nvmlGpuP2PCapsIndex_t capability,
                                    nvmlGpuP2PStatus_t* status) {
  if (status == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> first = place_to_read(from);
  if (first.outcome != NvmlOutcome::ok) return code_of(first.outcome);
  const NvmlAnswer<int> second = place_to_read(to);
  if (second.outcome != NvmlOutcome::ok) return code_of(second.outcome);
  const bool is_known = capability == NVML_P2P_CAPS_INDEX_READ || capability == NVML_P2P_CAPS_INDEX_WRITE ||
                        capability == NVML_P2P_CAPS_INDEX_NVLINK || capability == NVML_P2P_CAPS_INDEX_ATOMICS;
  if (!is_known) refuse("nvmlDeviceGetP2PStatus", "access over PCI Express");
  const bool is_linked = process_nvml().model().peer_links && first.value != second.value;
  *status = is_linked ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t* fabric) {
  if (fabric == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<int> place = place_to_read(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  if (process_nvml().model().major < hopper) return NVML_ERROR_NOT_SUPPORTED;
  if (fabric->version != nvmlGpuFabricInfo_v2 && fabric->version != nvmlGpuFabricInfo_v3) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  // No fabric over several machines. Members that version 3 adds are left as they are: version 2 has no room for them.
  fabric->state = NVML_GPU_FABRIC_STATE_NOT_SUPPORTED;
  fabric->status = NVML_SUCCESS;
  fabric->cliqueId = 0;
  fabric->healthMask = 0;
  std::fill(std::begin(fabric->clusterUuid), std::end(fabric->clusterUuid), static_cast<unsigned char>(0));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t* set) {
  if (set == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (!process_nvml().is_started()) return NVML_ERROR_UNINITIALIZED;
  *set = reinterpret_cast<nvmlEventSet_t>(process_nvml_events().create());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set) { return code_of(process_nvml_events().destroy(number_of_set(set))); }

nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long* types) {
  return give(NvmlAnswer<long long>{place_to_read(device).outcome, nvmlEventTypeXidCriticalError}, types);
}

nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set) {
  const NvmlAnswer<int> place = place_of(device);
  if (place.outcome != NvmlOutcome::ok) return code_of(place.outcome);
  if (types != nvmlEventTypeXidCriticalError) return NVML_ERROR_NOT_SUPPORTED;
  return code_of(process_nvml_events().watch_faults(number_of_set(set), place.value));
}

nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t* data, unsigned timeout_ms) {
  if (data == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const NvmlAnswer<NvmlEvent> event = process_nvml_events().wait(number_of_set(set), timeout_ms);
  if (event.outcome != NvmlOutcome::ok) return code_of(event.outcome);
  *data = {};
  const auto place = static_cast<unsigned>(event.value.place);
  data->device = handle_from(process_nvml().handle_at(place).value);
  data->eventType = nvmlEventTypeXidCriticalError;
  data->eventData = static_cast<unsigned long long>(event.value.xid);
  data->gpuInstanceId = no_instance;
  data->computeInstanceId = no_instance;
  return NVML_SUCCESS;
}

}  // extern "C"
