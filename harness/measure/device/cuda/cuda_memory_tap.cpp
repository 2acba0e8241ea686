#include "measure/device/cuda/cuda_memory_tap.h"

#include <c10/cuda/CUDACachingAllocator.h>

namespace stepgate {
namespace {

// LibTorch 2.9 declares it here; later versions make this a name of c10::CachingDeviceAllocator::TraceEntry.
using c10::cuda::CUDACachingAllocator::TraceEntry;

/// Allocated bytes fall when a free is requested. Until the block is really free it may wait for a stream; only active
/// bytes show that.
void record(const TraceEntry& entry, MemoryTrace& trace) {
  const auto bytes = static_cast<std::int64_t>(entry.size_);
  switch (entry.action_) {
    case TraceEntry::ALLOC:
      return trace.allocate(entry.addr_, bytes);
    case TraceEntry::FREE_REQUESTED:
      return trace.release(entry.addr_);
    case TraceEntry::SEGMENT_ALLOC:
    case TraceEntry::SEGMENT_MAP:
      return trace.reserve(bytes);
    case TraceEntry::SEGMENT_FREE:
    case TraceEntry::SEGMENT_UNMAP:
      return trace.reserve(-bytes);
    default:
      return;
  }
}

}  // namespace

void CudaMemoryTap::follow(MemoryTrace* trace) {
  // The snapshot takes the allocator's lock. Events arrive under that lock and wait for ours, so holding both here
  // would deadlock.
  if (trace != nullptr) seed(*trace);
  const std::lock_guard lock(mutex_);
  trace_ = trace;
}

void CudaMemoryTap::seed(MemoryTrace& trace) const {
  for (const auto& segment : c10::cuda::CUDACachingAllocator::snapshot().segments) {
    if (segment.device != device_) continue;
    trace.reserve(static_cast<std::int64_t>(segment.total_size));
    MemoryTrace::Address address = segment.address;
    for (const auto& block : segment.blocks) {
      if (block.allocated) trace.allocate(address, static_cast<std::int64_t>(block.requested_size));
      address += block.size;
    }
  }
}

std::shared_ptr<CudaMemoryTap> open_cuda_memory_tap(c10::DeviceIndex device) {
  auto tap = std::make_shared<CudaMemoryTap>(device);
  c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker([tap](const TraceEntry& entry) {
    if (entry.device_ != tap->device_) return;
    const std::lock_guard lock(tap->mutex_);
    if (tap->trace_ != nullptr) record(entry, *tap->trace_);
  });
  return tap;
}

}  // namespace stepgate
