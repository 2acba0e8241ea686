// The runtime's memory: of devices, managed, page-locked.
#include <cuda_runtime_api.h>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

constexpr unsigned known_host_flags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned known_register_flags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
constexpr unsigned modelled_register_flags = cudaHostRegisterPortable | cudaHostRegisterMapped;

cudaError_t allocate_host(RuntimeCall& call, void** out, std::size_t bytes) {
  if (out == nullptr) return call.end(Outcome::invalid_value);
  return end_allocated(call, process_machine().allocate_host(call.caller(), bytes), out);
}

/// Host memory that devices may use by its own address.
bool is_page_locked(const MemoryBlock& block) {
  return block.kind == MemoryKind::pinned || block.kind == MemoryKind::registered;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, "cudaMalloc");
  if (address == nullptr) return call.end(Outcome::invalid_value);
  return end_allocated(call, process_machine().allocate(call.caller(), bytes), address);
}

cudaError_t cudaMallocManaged(void** address, std::size_t bytes, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000, "cudaMallocManaged");
  if (flags == cudaMemAttachHost) refuse("cudaMallocManaged", "memory that devices may not use at first");
  if (address == nullptr || bytes == 0 || flags != cudaMemAttachGlobal) return call.end(Outcome::invalid_value);
  return end_allocated(call, process_machine().allocate(call.caller(), bytes, MemoryKind::managed), address);
}

/// Programs call it without an address to make the device ready, and to see whether there is one.
cudaError_t cudaFree(void* address) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020, "cudaFree");
  if (process_machine().devices() == 0) return call.end(Outcome::no_device);
  return call.end(process_machine().free(call.caller(), address));
}

cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMallocHost_v3020, "cudaMallocHost");
  return allocate_host(call, address, bytes);
}

// The flags change nothing here: all devices can use page-locked memory by its own address.
cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaHostAlloc_v3020, "cudaHostAlloc");
  if ((flags & ~known_host_flags) != 0) return call.end(Outcome::invalid_value);
  return allocate_host(call, address, bytes);
}

cudaError_t cudaFreeHost(void* address) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaFreeHost_v3020, "cudaFreeHost");
  return call.end(process_machine().free_host(call.caller(), address));
}

cudaError_t cudaHostRegister(void* address, std::size_t bytes, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaHostRegister_v4000, "cudaHostRegister");
  if (address == nullptr || bytes == 0 || (flags & ~known_register_flags) != 0) {
    return call.end(Outcome::invalid_value);
  }
  if ((flags & ~modelled_register_flags) != 0) refuse("cudaHostRegister", "input/output or read-only memory");
  return call.end(process_machine().register_host(call.caller(), address, bytes));
}

cudaError_t cudaHostUnregister(void* address) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaHostUnregister_v4000, "cudaHostUnregister");
  if (address == nullptr) return call.end(Outcome::invalid_value);
  return call.end(process_machine().unregister_host(call.caller(), address));
}

cudaError_t cudaHostGetDevicePointer(void** device_address, void* address, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaHostGetDevicePointer_v3020, "cudaHostGetDevicePointer");
  if (device_address == nullptr || flags != 0) return call.end(Outcome::invalid_value);
  const std::optional<MemoryBlock> block = process_machine().block_of(address);
  if (!block || !is_page_locked(*block)) return call.end(Outcome::invalid_value);
  *device_address = address;
  return call.end(Outcome::ok);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemGetInfo_v3020, "cudaMemGetInfo");
  if (free_bytes == nullptr || total_bytes == nullptr) return call.end(Outcome::invalid_value);
  EmulatedMachine& machine = process_machine();
  const int device = call.caller().device;
  if (!machine.has_device(device)) {
    return call.end(machine.devices() == 0 ? Outcome::no_device : Outcome::invalid_device);
  }
  if (const Outcome state = machine.device_outcome(device); state != Outcome::ok) return call.end(state);
  const MemoryInfo info = machine.memory_info(device);
  *free_bytes = info.free_bytes;
  *total_bytes = info.total_bytes;
  return call.end(Outcome::ok);
}

}  // extern "C"
