#include "emulator/memory/device_memory.h"

#include <utility>

#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t host_page_bytes = 4096;

std::uintptr_t place_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool takes_device_memory(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::managed; }

/// Blocks whose pages this part reserved.
bool owns_pages(MemoryKind kind) { return takes_device_memory(kind) || kind == MemoryKind::pinned; }

std::uintptr_t end_of(const MemoryBlock& block) { return place_of(block.address) + block.bytes; }

/// Whether a copy may run over the end of `block` into `next`.
bool continues(const MemoryBlock& block, const MemoryBlock& next) {
  const bool is_one_range = block.kind == MemoryKind::mapped && next.kind == MemoryKind::mapped &&
                            block.range == next.range && block.device == next.device;
  return is_one_range && next.has_access && place_of(next.address) == end_of(block);
}

}  // namespace

DeviceMemory::DeviceMemory(std::vector<std::uint64_t> bytes_of)
    : bytes_of_(std::move(bytes_of)), used_bytes_(bytes_of_.size(), 0) {}

DeviceMemory::~DeviceMemory() {
  for (const auto& [place, block] : blocks_) {
    if (owns_pages(block.kind)) release_pages(block.address, block.bytes);
  }
}

Allocated DeviceMemory::allocate(int device, std::uint64_t bytes, MemoryKind kind) {
  if (bytes == 0) return {};
  if (bytes > bytes_of_.at(static_cast<std::size_t>(device)))
    return {Outcome::out_of_memory};  // in_device_pages() may overflow
  const std::uint64_t taken_bytes = in_device_pages(bytes);
  if (const Outcome taken = take(device, taken_bytes); taken != Outcome::ok) return {taken};
  void* address = reserve_pages(taken_bytes, PageAccess::read_write);
  if (address == nullptr) {
    give_back(device, taken_bytes);
    return {Outcome::out_of_memory};
  }
  add_block({address, taken_bytes, bytes, device, kind});
  return {Outcome::ok, address};
}

Outcome DeviceMemory::free(void* address, MemoryKind kind) {
  if (address == nullptr) return Outcome::ok;
  const auto found = blocks_.find(place_of(address));
  if (found == blocks_.end()) return Outcome::invalid_value;
  const MemoryBlock block = found->second;
  const bool is_device = takes_device_memory(kind);
  if (!owns_pages(block.kind) || takes_device_memory(block.kind) != is_device) return Outcome::invalid_value;
  blocks_.erase(found);
  release_pages(block.address, block.bytes);
  if (is_device) give_back(block.device, block.bytes);
  return Outcome::ok;
}

Allocated DeviceMemory::allocate_host(int device, std::uint64_t bytes) {
  if (bytes == 0) return {};
  constexpr std::uint64_t most_bytes = 1ULL << 46U;  // an address space of 47 bits has no room for more
  if (bytes > most_bytes) return {Outcome::out_of_memory};
  const std::uint64_t taken_bytes = in_device_pages(bytes);
  void* address = reserve_pages(taken_bytes, PageAccess::read_write);
  if (address == nullptr) return {Outcome::out_of_memory};
  add_block({address, taken_bytes, bytes, device, MemoryKind::pinned});
  return {Outcome::ok, address};
}

Outcome DeviceMemory::register_host(void* address, std::uint64_t bytes, int device) {
  if (address == nullptr || bytes == 0) return Outcome::invalid_value;
  const std::uintptr_t begin = place_of(address) / host_page_bytes * host_page_bytes;
  const auto next = blocks_.lower_bound(begin);
  const bool meets_next = next != blocks_.end() && next->first < place_of(address) + bytes;
  if (meets_next || find(address) != nullptr) return Outcome::already_registered;
  add_block({address, bytes, bytes, device, MemoryKind::registered});
  return Outcome::ok;
}

Outcome DeviceMemory::unregister_host(void* address) {
  const auto found = blocks_.find(place_of(address));
  if (found == blocks_.end() || found->second.kind != MemoryKind::registered) return Outcome::not_registered;
  blocks_.erase(found);
  return Outcome::ok;
}

const MemoryBlock* DeviceMemory::find(const void* address) const {
  auto after = blocks_.upper_bound(place_of(address));
  if (after == blocks_.begin()) return nullptr;
  const MemoryBlock& block = (--after)->second;
  return place_of(address) < place_of(block.address) + block.bytes ? &block : nullptr;
}

bool DeviceMemory::reaches(const void* address, std::uint64_t bytes) const {
  const MemoryBlock* last = find(address);
  if (last == nullptr) return true;
  if (!last->has_access) return false;
  auto next = blocks_.upper_bound(place_of(address));
  for (; end_of(*last) - place_of(address) < bytes; ++next) {
    if (next == blocks_.end() || !continues(*last, next->second)) return false;
    last = &next->second;
  }
  return true;
}

MemoryInfo DeviceMemory::info(int device) const {
  const auto place = static_cast<std::size_t>(device);
  const std::uint64_t total_bytes = bytes_of_.at(place);
  const std::uint64_t used_bytes = used_bytes_.at(place) + context_bytes;
  return {total_bytes > used_bytes ? total_bytes - used_bytes : 0, total_bytes};
}

Outcome DeviceMemory::take(int device, std::uint64_t bytes) {
  if (bytes > info(device).free_bytes) return Outcome::out_of_memory;
  used_bytes_.at(static_cast<std::size_t>(device)) += bytes;
  return Outcome::ok;
}

void DeviceMemory::give_back(int device, std::uint64_t bytes) {
  used_bytes_.at(static_cast<std::size_t>(device)) -= bytes;
}

void DeviceMemory::add_block(const MemoryBlock& block) { blocks_[place_of(block.address)] = block; }

void DeviceMemory::remove_block(const void* address) { blocks_.erase(place_of(address)); }

bool is_device_side(const MemoryBlock* block) {
  return block != nullptr && block->kind != MemoryKind::pinned && block->kind != MemoryKind::registered;
}

}  // namespace stepgate::emulator
