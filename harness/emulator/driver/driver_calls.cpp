// What the driver says of itself and of its devices.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "emulator/driver/driver_call.h"
#include "emulator/machine/refusal.h"
#include "emulator/model/shown_devices.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/device_properties.h"

using namespace stepgate::emulator;

namespace {

/// LibTorch asks for this one before it makes a segment that grows. No machine has a network adapter that could read
/// the device's memory.
std::optional<int> attribute_of_driver(CUdevice_attribute attribute, int device) {
  if (attribute == CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED) return 0;
  return attribute_of(process_machine(), device, attribute);
}

}  // namespace

CUresult cuInit(unsigned flags) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuInit, "cuInit");
  if (flags != 0) return call.end(Outcome::invalid_value);
  return call.end(process_machine().devices() > 0 ? Outcome::ok : Outcome::no_device);
}

CUresult cuDriverGetVersion(int* version) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion, "cuDriverGetVersion");
  if (version == nullptr) return call.end(Outcome::invalid_value);
  *version = CUDA_VERSION;
  return call.end(Outcome::ok);
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceGet, "cuDeviceGet");
  if (device == nullptr) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(ordinal)) return call.end(Outcome::invalid_device);
  *device = ordinal;
  return call.end(Outcome::ok);
}

CUresult cuDeviceGetCount(int* count) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceGetCount, "cuDeviceGetCount");
  if (count == nullptr) return call.end(Outcome::invalid_value);
  *count = process_machine().devices();
  return call.end(Outcome::ok);
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceGetName, "cuDeviceGetName");
  if (name == nullptr || bytes <= 0) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  const std::string text(process_machine().model().name);
  const std::size_t copied = std::min(text.size(), static_cast<std::size_t>(bytes) - 1);
  text.copy(name, copied);
  name[copied] = '\0';
  return call.end(Outcome::ok);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceGetUuid_v2, "cuDeviceGetUuid");
  if (uuid == nullptr) return call.end(Outcome::invalid_value);
  const EmulatedMachine& machine = process_machine();
  if (!machine.has_device(device)) return call.end(Outcome::invalid_device);
  const std::array<std::uint8_t, 16> bytes = uuid_of(machine.model(), machine.place_of(device));
  static_assert(sizeof(uuid->bytes) == bytes.size());
  std::memcpy(uuid->bytes, bytes.data(), bytes.size());
  return call.end(Outcome::ok);
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceTotalMem_v2, "cuDeviceTotalMem");
  if (bytes == nullptr) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  *bytes = process_machine().memory_bytes();
  return call.end(Outcome::ok);
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDeviceGetAttribute, "cuDeviceGetAttribute");
  if (value == nullptr) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  const std::optional<int> answer = attribute_of_driver(attribute, device);
  if (!answer) refuse("cuDeviceGetAttribute", "attribute " + std::to_string(static_cast<int>(attribute)));
  *value = *answer;
  return call.end(Outcome::ok);
}

// Without a scope, as the runtime's: they change and ask nothing of a device.
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool is_known = name_of_driver_error(error) != nullptr;
  *text = is_known ? text_of_driver_error(error) : nullptr;
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of_driver_error(error);
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
