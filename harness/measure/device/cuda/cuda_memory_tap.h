// Writes the actions of one GPU's caching allocator into a MemoryTrace.
#pragma once

#include <c10/core/Device.h>

#include <memory>
#include <mutex>

#include "measure/memory/memory_trace.h"

namespace stepgate {

/// Always compiled, but runs only on a GPU. Check its first run there by the memory ledger of any
/// case: (1) requested bytes of the trace's peak equal the allocator's own peak of requested bytes, so the ledger adds
/// up to peak_bytes (were TraceEntry::size_ the size of the block instead, the kinds alone would reach peak_bytes and
/// "rounding" would come on top); (2) no kind is negative: a free that came before its allocation was missed by the
/// seed; (3) fragmentation_bytes is reserved - allocated, so segment events arrive and with expandable segments
/// (PYTORCH_ALLOC_CONF=expandable_segments:True) map and unmap events in their place.
class CudaMemoryTap {
 public:
  explicit CudaMemoryTap(c10::DeviceIndex device) : device_(device) {}

  /// As Backend::trace_memory(). Blocks that are live already come from the allocator's snapshot.
  void follow(MemoryTrace* trace);

 private:
  friend std::shared_ptr<CudaMemoryTap> open_cuda_memory_tap(c10::DeviceIndex device);
  void seed(MemoryTrace& trace) const;

  c10::DeviceIndex device_;
  std::mutex mutex_;
  MemoryTrace* trace_ = nullptr;
};

/// Stays attached to the allocator, which has no function to detach it: one per tracing backend.
std::shared_ptr<CudaMemoryTap> open_cuda_memory_tap(c10::DeviceIndex device);

}  // namespace stepgate
