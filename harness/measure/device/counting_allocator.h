// Counts what tensors on the CPU ask for: allocations, requested bytes, live bytes and their peak, over all threads.
// For processes of group exact only: a timed process keeps the stock allocator.
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

/// Hands out exactly what the stock allocator would (same addresses, same alignment) and remembers each block's
/// requested size beside it. Blocks therefore survive a change of allocator in either direction: a block that another
/// allocator made is freed and not counted. Data pointer and context are the same and raw_deleter is set, because
/// oneDNN allocates through raw_allocate (docs/design/metrics.md, "Portable scope").
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size_bytes) override;
  c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t size_bytes) const override;

  /// Requested bytes, in the words of MemoryStats. Nothing is reserved: those fields stay absent.
  MemoryStats stats() const;
  /// The peak starts again from what is live now.
  void reset_peak();
  /// As Backend::trace_memory(). While a trace is kept, allocations of all threads wait for one another: off otherwise.
  /// Blocks that other threads make while this call runs may be missed.
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
  std::mutex trace_mutex_;  ///< held around counting and tracing, so that counters and trace see one order
  std::atomic<MemoryTrace*> trace_ = nullptr;
};

/// While it lives, the process's CPU allocator is the counting one. At most one at a time; make it before the
/// workload, and destroy it after. The allocator itself lives until the process ends, since blocks may outlive the
/// scope. Throws Error(measure) where another scope is open.
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
