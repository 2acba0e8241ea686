#include "measure/device/cpu/counting_allocator.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include "core/error.h"

namespace stepgate {
namespace {

/// c10 keeps the highest priority that was ever set, so installing and removing need the same one.
constexpr std::uint8_t highest_priority = 255;

/// The counters for the deleters: these are plain function pointers in c10, and their context must be the block itself.
/// Never destroyed, because tensors may outlive main.
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
  // Blocks are aligned to 64 bytes, so the low six bits are always zero.
  return shards_[(reinterpret_cast<std::uintptr_t>(block) >> 6) % shards_.size()];
}

void CountingAllocator::remember(void* block, std::int64_t size_bytes) {
  if (trace_.load() == nullptr) return count_in(block, size_bytes);
  const std::lock_guard lock(trace_mutex_);
  count_in(block, size_bytes);
  if (MemoryTrace* const trace = trace_.load()) {
    trace->allocate(reinterpret_cast<MemoryTrace::Address>(block), size_bytes);
  }
}

void CountingAllocator::forget(void* block) {
  if (trace_.load() == nullptr) {
    count_out(block);
    return;
  }
  const std::lock_guard lock(trace_mutex_);
  const bool counted = count_out(block).has_value();
  MemoryTrace* const trace = trace_.load();
  if (counted && trace != nullptr) trace->release(reinterpret_cast<MemoryTrace::Address>(block));
}

void CountingAllocator::count_in(void* block, std::int64_t size_bytes) {
  {
    Shard& shard = shard_of(block);
    const std::lock_guard lock(shard.mutex);
    shard.sizes.insert_or_assign(block, size_bytes);
  }
  ++allocations_;
  requested_bytes_ += size_bytes;
  raise_to(peak_bytes_, live_bytes_ += size_bytes);
}

std::optional<std::int64_t> CountingAllocator::count_out(void* block) {
  Shard& shard = shard_of(block);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.sizes.find(block);
  if (at == shard.sizes.end()) return std::nullopt;  // allocated before counting began
  const std::int64_t size_bytes = at->second;
  live_bytes_ -= size_bytes;
  shard.sizes.erase(at);
  return size_bytes;
}

void CountingAllocator::follow(MemoryTrace* trace) {
  const std::lock_guard lock(trace_mutex_);
  trace_ = trace;
  if (trace == nullptr) return;
  for (Shard& shard : shards_) {
    const std::lock_guard shard_lock(shard.mutex);
    for (const auto& [block, size_bytes] : shard.sizes) {
      trace->allocate(reinterpret_cast<MemoryTrace::Address>(block), size_bytes);
    }
  }
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
