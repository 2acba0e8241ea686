// The runtime's pools, and allocations in the order of a stream. Each device has its default pool and no other.
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

/// A pool is the number of its device, in steps below the machine's first handle, so that it is no other object's.
cudaMemPool_t default_pool_of(int device) {
  return pointer_of<cudaMemPool_t>(handle_step * (static_cast<Handle>(device) + 1));
}

std::optional<int> device_of(cudaMemPool_t pool) {
  const Handle handle = handle_of(pool);
  if (handle == 0 || handle >= first_handle || handle % handle_step != 0) return std::nullopt;
  const int device = static_cast<int>(handle / handle_step) - 1;
  return process_machine().has_device(device) ? std::optional(device) : std::nullopt;
}

/// Memory never leaves the pool for another stream here, so the rules of its reuse change nothing while all are on.
bool is_reuse_rule(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

bool is_high_mark(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
}

/// Absent for an attribute that is no number of bytes.
std::optional<std::uint64_t> bytes_of(int device, cudaMemPoolAttr attribute) {
  const PoolUse use = process_machine().pool_use(device);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return process_machine().pool_threshold(device);
    case cudaMemPoolAttrReservedMemCurrent:
      return use.reserved_bytes;
    case cudaMemPoolAttrReservedMemHigh:
      return use.reserved_high_bytes;
    case cudaMemPoolAttrUsedMemCurrent:
      return use.used_bytes;
    case cudaMemPoolAttrUsedMemHigh:
      return use.used_high_bytes;
    default:
      return std::nullopt;
  }
}

/// The type of a value is that of its attribute.
template <typename Value>
Value value_at(const void* place) {
  Value value = {};
  std::memcpy(&value, place, sizeof value);
  return value;
}

Outcome set_attribute(int device, cudaMemPoolAttr attribute, const void* value) {
  if (is_reuse_rule(attribute)) {
    if (value_at<int>(value) == 0) refuse("cudaMemPoolSetAttribute", "a rule of reuse switched off");
    return Outcome::ok;
  }
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    process_machine().set_pool_threshold(device, value_at<std::uint64_t>(value));
    return Outcome::ok;
  }
  // The machine resets both marks at once. LibTorch sets one after the other.
  if (!is_high_mark(attribute) || value_at<std::uint64_t>(value) != 0) return Outcome::invalid_value;
  process_machine().reset_pool_high_marks(device);
  return Outcome::ok;
}

Outcome check_access(int owner, const cudaMemAccessDesc& access) {
  const EmulatedMachine& machine = process_machine();
  if (access.location.type != cudaMemLocationTypeDevice) refuse("cudaMemPoolSetAccess", "a place that is no device");
  if (!machine.has_device(access.location.id)) return Outcome::invalid_device;
  if (access.flags != cudaMemAccessFlagsProtReadWrite) {
    refuse("cudaMemPoolSetAccess", "an access that is not for reading and writing");
  }
  return access.location.id == owner || machine.model().peer_links ? Outcome::ok : Outcome::invalid_device;
}

/// Graphs with nodes that allocate are not modelled.
void refuse_in_capture(const RuntimeCall& call, const char* function, cudaStream_t stream) {
  const CaptureFacts facts = process_machine().capture_facts(call.caller(), handle_of(stream));
  if (facts.status == CaptureStatus::active) refuse(function, "memory of a pool in a captured stream");
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetDefaultMemPool_v11020, "cudaDeviceGetDefaultMemPool");
  if (pool == nullptr) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  *pool = default_pool_of(device);
  return call.end(Outcome::ok);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetMemPool_v11020, "cudaDeviceGetMemPool");
  if (pool == nullptr) return call.end(Outcome::invalid_value);
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  *pool = default_pool_of(device);
  return call.end(Outcome::ok);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemPoolGetAttribute_v11020, "cudaMemPoolGetAttribute");
  const std::optional<int> device = device_of(pool);
  if (!device || value == nullptr) return call.end(Outcome::invalid_value);
  if (is_reuse_rule(attribute)) {
    constexpr int on = 1;
    std::memcpy(value, &on, sizeof on);
    return call.end(Outcome::ok);
  }
  const std::optional<std::uint64_t> bytes = bytes_of(*device, attribute);
  if (!bytes) return call.end(Outcome::invalid_value);
  std::memcpy(value, &*bytes, sizeof *bytes);
  return call.end(Outcome::ok);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemPoolSetAttribute_v11020, "cudaMemPoolSetAttribute");
  const std::optional<int> device = device_of(pool);
  if (!device || value == nullptr) return call.end(Outcome::invalid_value);
  return call.end(set_attribute(*device, attribute, value));
}

// The memory of each device is address space of this process, so an access that is allowed needs no more.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemPoolSetAccess_v11020, "cudaMemPoolSetAccess");
  const std::optional<int> owner = device_of(pool);
  if (!owner || (list == nullptr && count != 0)) return call.end(Outcome::invalid_value);
  for (std::size_t at = 0; at < count; ++at) {
    if (const Outcome outcome = check_access(*owner, list[at]); outcome != Outcome::ok) return call.end(outcome);
  }
  return call.end(Outcome::ok);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t kept_bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemPoolTrimTo_v11020, "cudaMemPoolTrimTo");
  const std::optional<int> device = device_of(pool);
  if (!device) return call.end(Outcome::invalid_value);
  process_machine().trim_pool(*device, kept_bytes);
  return call.end(Outcome::ok);
}

cudaError_t cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_v11020, "cudaMallocAsync");
  if (address == nullptr) return call.end(Outcome::invalid_value);
  refuse_in_capture(call, "cudaMallocAsync", stream);
  return end_allocated(call, process_machine().allocate_async(call.caller(), bytes, handle_of(stream)), address);
}

cudaError_t cudaMallocFromPoolAsync(void** address, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMallocFromPoolAsync_v11020, "cudaMallocFromPoolAsync");
  const std::optional<int> device = device_of(pool);
  if (address == nullptr || !device) return call.end(Outcome::invalid_value);
  refuse_in_capture(call, "cudaMallocFromPoolAsync", stream);
  const std::optional<StreamFacts> facts = process_machine().stream_facts(call.caller(), handle_of(stream));
  if (facts && facts->device != *device) refuse("cudaMallocFromPoolAsync", "the pool of another device");
  return end_allocated(call, process_machine().allocate_async(call.caller(), bytes, handle_of(stream)), address);
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaFreeAsync_v11020, "cudaFreeAsync");
  refuse_in_capture(call, "cudaFreeAsync", stream);
  return call.end(process_machine().free_async(call.caller(), address, handle_of(stream)));
}

}  // extern "C"
