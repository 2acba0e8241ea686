#include "measure/counting_allocator.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include "core/error.h"

namespace stepgate {
namespace {

/// c10 keeps the highest priority that was ever set, so that both directions need the same one.
constexpr std::uint8_t highest_priority = 255;

/// c10's deleters are plain function pointers, and the context must be the block itself: there is no place but this
/// where a deleter could find its counters. Never destroyed, because tensors may outlive main.
CountingAllocator& process_allocator() {
  static auto* const allocator = new CountingAllocator;
  return *allocator;
}

std::atomic<bool> scope_open = false;

void raise_to(std::atomic<std::int64_t>& peak, std::int64_t value) {
  std::int64_t seen = peak.load();
  while (seen < value && !peak.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

c10::DataPtr CountingAllocator::allocate(std::size_t size_bytes) {
  void* const block = c10::alloc_cpu(size_bytes);
  if (block != nullptr) remember(block, static_cast<std::int64_t>(size_bytes));
  return {block, block, &CountingAllocator::release, c10::Device(c10::DeviceType::CPU)};
}

c10::DeleterFnPtr CountingAllocator::raw_deleter() const { return &CountingAllocator::release; }

void CountingAllocator::copy_data(void* to, const void* from, std::size_t size_bytes) const {
  default_copy_data(to, from, size_bytes);
}

void CountingAllocator::release(void* block) {
  if (block == nullptr) return;
  process_allocator().forget(block);
  c10::free_cpu(block);
}

CountingAllocator::Shard& CountingAllocator::shard_of(const void* block) {
  // Blocks are aligned to 64 bytes: the low six bits say nothing.
  return shards_[(reinterpret_cast<std::uintptr_t>(block) >> 6) % shards_.size()];
}

void CountingAllocator::remember(void* block, std::int64_t size_bytes) {
  {
    Shard& shard = shard_of(block);
    const std::lock_guard lock(shard.mutex);
    shard.sizes.insert_or_assign(block, size_bytes);
  }
  ++allocations_;
  requested_bytes_ += size_bytes;
  raise_to(peak_bytes_, live_bytes_ += size_bytes);
}

void CountingAllocator::forget(void* block) {
  Shard& shard = shard_of(block);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.sizes.find(block);
  if (at == shard.sizes.end()) return;  // made before counting began
  live_bytes_ -= at->second;
  shard.sizes.erase(at);
}

MemoryStats CountingAllocator::stats() const {
  MemoryStats stats;
  stats.allocated_bytes = live_bytes_;
  stats.peak_allocated_bytes = peak_bytes_;
  stats.allocations = allocations_;
  stats.requested_bytes = requested_bytes_;
  return stats;
}

void CountingAllocator::reset_peak() { peak_bytes_ = live_bytes_.load(); }

CountingScope::CountingScope() : stock_(c10::GetCPUAllocator()) {
  if (scope_open.exchange(true)) {
    throw Error(ErrorKind::measure, "the counting allocator is already installed in this process",
                "run one exact pass at a time");
  }
  c10::SetCPUAllocator(&process_allocator(), highest_priority);
}

CountingScope::~CountingScope() {
  c10::SetCPUAllocator(stock_, highest_priority);
  scope_open = false;
}

CountingAllocator& CountingScope::allocator() { return process_allocator(); }

}  // namespace stepgate
