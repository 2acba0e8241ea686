#include "emulator/memory/memory_pool.h"

#include <algorithm>

#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

std::uint64_t in_multiples(std::uint64_t bytes, std::uint64_t of) { return (bytes + of - 1) / of * of; }

}  // namespace

MemoryPool::~MemoryPool() {
  for (const auto& [place, block] : blocks_) {
    memory_.remove_block(reinterpret_cast<void*>(place));
    release_pages(reinterpret_cast<void*>(place), in_device_pages(block.bytes));
  }
  memory_.give_back(device_, use_.reserved_bytes);
}

Allocated MemoryPool::allocate(std::uint64_t bytes) {
  if (bytes == 0) return {};
  if (bytes > memory_.info(device_).total_bytes) return {Outcome::out_of_memory};
  const std::uint64_t taken_bytes = in_multiples(bytes, pool_alignment_bytes);
  const std::uint64_t wanted_bytes = in_multiples(use_.used_bytes + taken_bytes, pool_piece_bytes);
  if (wanted_bytes > use_.reserved_bytes) {
    const Outcome taken = memory_.take(device_, wanted_bytes - use_.reserved_bytes);
    if (taken != Outcome::ok) return {taken};
    use_.reserved_bytes = wanted_bytes;
  }
  void* address = reserve_pages(in_device_pages(taken_bytes), PageAccess::read_write);
  if (address == nullptr) return {Outcome::out_of_memory};
  use_.used_bytes += taken_bytes;
  use_.used_high_bytes = std::max(use_.used_high_bytes, use_.used_bytes);
  use_.reserved_high_bytes = std::max(use_.reserved_high_bytes, use_.reserved_bytes);
  blocks_[reinterpret_cast<std::uintptr_t>(address)] = {taken_bytes};
  memory_.add_block({address, taken_bytes, bytes, device_, MemoryKind::pooled});
  return {Outcome::ok, address};
}

Outcome MemoryPool::free(void* address) {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == blocks_.end() || found->second.is_free) return Outcome::invalid_value;
  found->second.is_free = true;
  use_.used_bytes -= found->second.bytes;
  return Outcome::ok;
}

void MemoryPool::release_block(void* address) {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == blocks_.end()) return;
  memory_.remove_block(address);
  release_pages(address, in_device_pages(found->second.bytes));
  blocks_.erase(found);
}

void MemoryPool::trim_to(std::uint64_t kept_bytes) {
  const std::uint64_t kept = std::max(in_multiples(use_.used_bytes, pool_piece_bytes), kept_bytes);
  if (kept >= use_.reserved_bytes) return;
  memory_.give_back(device_, use_.reserved_bytes - kept);
  use_.reserved_bytes = kept;
}

void MemoryPool::reset_high_marks() {
  use_.used_high_bytes = use_.used_bytes;
  use_.reserved_high_bytes = use_.reserved_bytes;
}

bool MemoryPool::owns(const void* address) const {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
  return found != blocks_.end() && !found->second.is_free;
}

}  // namespace stepgate::emulator
