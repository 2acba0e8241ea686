// Which devices there are, which one the thread uses, and what they answer about themselves.
#include <cuda_runtime_api.h>

#include <string>

#include "emulator/machine/refusal.h"
#include "emulator/model/shown_devices.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/runtime/device_properties.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

/// Of a call that names a device and writes an answer.
Outcome check(int device, const void* answer) {
  if (process_machine().devices() == 0) return Outcome::no_device;
  if (!process_machine().has_device(device)) return Outcome::invalid_device;
  return answer == nullptr ? Outcome::invalid_value : Outcome::ok;
}

/// "0000:1B:00.0": the runtime writes four digits of the domain, NVML eight.
std::string runtime_bus_id(int device) {
  constexpr std::size_t more_digits = 4;
  return bus_id_text(process_machine().place_of(device)).substr(more_digits);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020, "cudaGetDeviceCount");
  if (count == nullptr) return call.end(Outcome::invalid_value);
  *count = process_machine().devices();
  return call.end(*count == 0 ? Outcome::no_device : Outcome::ok);
}

cudaError_t cudaGetDevice(int* device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, "cudaGetDevice");
  const Outcome outcome = check(thread_state().device, device);
  if (outcome == Outcome::ok) *device = thread_state().device;
  return call.end(outcome);
}

cudaError_t cudaSetDevice(int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020, "cudaSetDevice");
  const Outcome outcome = check(device, &device);
  if (outcome == Outcome::ok) thread_state().device = device;
  return call.end(outcome);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceProperties_v12000, "cudaGetDeviceProperties");
  const Outcome outcome = check(device, properties);
  if (outcome == Outcome::ok) *properties = properties_of(process_machine(), device);
  return call.end(outcome);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000, "cudaDeviceGetAttribute");
  if (const Outcome outcome = check(device, value); outcome != Outcome::ok) return call.end(outcome);
  const std::optional<int> found = attribute_of(process_machine(), device, attribute);
  if (!found) refuse("cudaDeviceGetAttribute", "attribute " + std::to_string(static_cast<int>(attribute)));
  *value = *found;
  return call.end(Outcome::ok);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetPCIBusId_v4010, "cudaDeviceGetPCIBusId");
  if (const Outcome outcome = check(device, text); outcome != Outcome::ok) return call.end(outcome);
  const std::string bus_id = runtime_bus_id(device);
  if (bytes <= static_cast<int>(bus_id.size())) return call.end(Outcome::invalid_value);
  text[bus_id.copy(text, bus_id.size())] = '\0';
  return call.end(Outcome::ok);
}
}
