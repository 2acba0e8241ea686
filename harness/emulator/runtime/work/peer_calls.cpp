// Access of devices to each other's memory.
#include <cuda_runtime_api.h>

#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceCanAccessPeer_v4000, "cudaDeviceCanAccessPeer");
  const EmulatedMachine& machine = process_machine();
  if (can_access == nullptr) return call.end(Outcome::invalid_value);
  if (!machine.has_device(device) || !machine.has_device(peer)) return call.end(Outcome::invalid_device);
  *can_access = device != peer && machine.model().peer_links ? 1 : 0;
  return call.end(Outcome::ok);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceEnablePeerAccess_v4000, "cudaDeviceEnablePeerAccess");
  if (flags != 0) return call.end(Outcome::invalid_value);
  return call.end(process_machine().enable_peer_access(call.caller().device, peer));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceDisablePeerAccess_v4000, "cudaDeviceDisablePeerAccess");
  return call.end(process_machine().disable_peer_access(call.caller().device, peer));
}

}  // extern "C"
