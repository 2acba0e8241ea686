// Counts the memory requests of CPU tensors: allocations, requested bytes, live bytes and their peak, over all threads.
// For processes of group exact only: a timed process keeps LibTorch's own allocator.
#pragma once

#include <c10/core/Allocator.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "measure/device/backend.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {

/// Returns the same blocks as LibTorch's own allocator (same addresses, same alignment) and stores each block's
/// requested size separately. Blocks therefore survive a change of allocator in either direction: a block of another
/// allocator is freed but not counted. Data pointer and context are equal and raw_deleter is set, because oneDNN
/// allocates through raw_allocate (docs/design/metrics.md, "Portable scope").
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size_bytes) override;
  c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t size_bytes) const override;

  /// Requested bytes as MemoryStats. Nothing is reserved, so those fields stay absent.
  MemoryStats stats() const;
  /// Sets the peak to what is live now.
  void reset_peak();
  /// As Backend::trace_memory(). During a trace the allocations of all threads wait for one another. Blocks that other
  /// threads allocate during this call may be missed.
  void follow(MemoryTrace* trace);

 private:
  friend class CountingScope;
  static void release(void* block);
  void remember(void* block, std::int64_t size_bytes);
  void forget(void* block);
  void count_in(void* block, std::int64_t size_bytes);
  std::optional<std::int64_t> count_out(void* block);

  struct Shard {
    std::mutex mutex;
    std::unordered_map<void*, std::int64_t> sizes;
  };
  Shard& shard_of(const void* block);

  std::array<Shard, 16> shards_;
  std::atomic<std::int64_t> live_bytes_ = 0;
  std::atomic<std::int64_t> peak_bytes_ = 0;
  std::atomic<std::int64_t> allocations_ = 0;
  std::atomic<std::int64_t> requested_bytes_ = 0;
  std::mutex trace_mutex_;  ///< held around counting and tracing, so that counters and trace have the same order
  std::atomic<MemoryTrace*> trace_ = nullptr;
};

/// During its lifetime the process's CPU allocator is the counting one. At most one at a time; create it before the
/// workload and destroy it after. The allocator itself lives until the process ends, because blocks may outlive the
/// scope. Throws Error(measure) if another scope is open.
class CountingScope {
 public:
  CountingScope();
  ~CountingScope();
  CountingScope(const CountingScope&) = delete;
  CountingScope& operator=(const CountingScope&) = delete;

  CountingAllocator& allocator();

 private:
  c10::Allocator* stock_;
};

}  // namespace stepgate
