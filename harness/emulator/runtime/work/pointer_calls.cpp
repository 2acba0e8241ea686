// What the runtime knows of an address.
#include <cuda_runtime_api.h>

#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

struct PointerRow {
  MemoryKind kind;
  cudaMemoryType type;
  bool on_device;  ///< kernels may use the address
  bool on_host;    ///< the program may use the address
};

constexpr PointerRow pointer_rows[] = {
    {MemoryKind::device, cudaMemoryTypeDevice, true, false}, {MemoryKind::managed, cudaMemoryTypeManaged, true, true},
    {MemoryKind::pinned, cudaMemoryTypeHost, true, true},    {MemoryKind::registered, cudaMemoryTypeHost, true, true},
    {MemoryKind::mapped, cudaMemoryTypeDevice, true, false}, {MemoryKind::pooled, cudaMemoryTypeDevice, true, false},
};

/// The runtime does not check memory that it did not give: the address counts as the host's.
cudaPointerAttributes attributes_of_unknown(void* address) {
  cudaPointerAttributes attributes = {};
  attributes.type = cudaMemoryTypeUnregistered;
  attributes.device = cudaInvalidDeviceId;
  attributes.hostPointer = address;
  return attributes;
}

cudaPointerAttributes attributes_of(const MemoryBlock& block, void* address) {
  for (const PointerRow& row : pointer_rows) {
    if (row.kind != block.kind) continue;
    cudaPointerAttributes attributes = {};
    attributes.type = row.type;
    attributes.device = block.device;
    attributes.devicePointer = row.on_device ? address : nullptr;
    attributes.hostPointer = row.on_host ? address : nullptr;
    return attributes;
  }
  return attributes_of_unknown(address);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaPointerGetAttributes_v4000, "cudaPointerGetAttributes");
  if (attributes == nullptr) return call.end(Outcome::invalid_value);
  void* const address = const_cast<void*>(pointer);  // the structure of the answer has no const
  const std::optional<MemoryBlock> block = process_machine().block_of(address);
  *attributes = block ? attributes_of(*block, address) : attributes_of_unknown(address);
  return call.end(Outcome::ok);
}
