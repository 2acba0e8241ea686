#include "emulator/memory/address_ranges.h"

#include <iterator>

#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

std::uintptr_t start_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
void* address_of(std::uintptr_t place) { return reinterpret_cast<void*>(place); }
bool is_whole(std::uint64_t bytes) { return bytes > 0 && bytes % device_page_bytes == 0; }

}  // namespace

AddressRanges::~AddressRanges() {
  for (const auto& [place, bytes] : ranges_) release_pages(address_of(place), bytes);
}

Allocated AddressRanges::reserve(std::uint64_t bytes) {
  if (!is_whole(bytes)) return {Outcome::invalid_value};
  void* address = reserve_pages(bytes, PageAccess::none);
  if (address == nullptr) return {Outcome::out_of_memory};
  ranges_[start_of(address)] = bytes;
  return {Outcome::ok, address};
}

Outcome AddressRanges::free(void* address, std::uint64_t bytes) {
  const auto found = ranges_.find(start_of(address));
  if (found == ranges_.end() || found->second != bytes) return Outcome::invalid_value;
  if (overlaps_mapping(start_of(address), bytes)) return Outcome::illegal_state;
  ranges_.erase(found);
  release_pages(address, bytes);
  return Outcome::ok;
}

PhysicalMade AddressRanges::create(int device, std::uint64_t bytes) {
  if (!is_whole(bytes)) return {Outcome::invalid_value};
  if (const Outcome taken = memory_.take(device, bytes); taken != Outcome::ok) return {taken};
  physical_[++last_] = {device, bytes};
  return {Outcome::ok, last_};
}

Outcome AddressRanges::release(PhysicalMemory memory) {
  const auto found = physical_.find(memory);
  if (found == physical_.end() || !found->second.is_held) return Outcome::invalid_value;
  found->second.is_held = false;
  drop_unused(memory);
  return Outcome::ok;
}

std::optional<PhysicalFacts> AddressRanges::facts(PhysicalMemory memory) const {
  const auto found = physical_.find(memory);
  if (found == physical_.end()) return std::nullopt;
  return PhysicalFacts{found->second.device, found->second.bytes};
}

Outcome AddressRanges::map(const Mapping& mapping) {
  const auto found = physical_.find(mapping.memory);
  if (found == physical_.end() || found->second.bytes != mapping.bytes) return Outcome::invalid_value;
  if (found->second.is_mapped) return Outcome::not_supported;
  const std::uintptr_t place = start_of(mapping.address);
  const std::optional<std::uintptr_t> range = range_around(place, mapping.bytes);
  if (!range || overlaps_mapping(place, mapping.bytes)) return Outcome::invalid_value;
  found->second.is_mapped = true;
  mapped_[place] = {mapping.bytes, mapping.memory};
  memory_.add_block({.address = mapping.address,
                     .bytes = mapping.bytes,
                     .asked_bytes = mapping.bytes,
                     .device = found->second.device,
                     .kind = MemoryKind::mapped,
                     .range = *range,
                     .has_access = false});
  return Outcome::ok;
}

Outcome AddressRanges::unmap(void* address, std::uint64_t bytes) {
  const std::uintptr_t begin = start_of(address);
  if (!are_whole_mappings(begin, bytes)) return Outcome::invalid_value;
  for (auto piece = mapped_.find(begin); piece != mapped_.end() && piece->first < begin + bytes;) {
    const PhysicalMemory memory = piece->second.memory;
    memory_.remove_block(address_of(piece->first));
    drop_pages(address_of(piece->first), piece->second.bytes);
    piece = mapped_.erase(piece);
    physical_.at(memory).is_mapped = false;
    drop_unused(memory);
  }
  return Outcome::ok;
}

Outcome AddressRanges::allow_access(void* address, std::uint64_t bytes) {
  if (!are_whole_mappings(start_of(address), bytes)) return Outcome::invalid_value;
  if (!set_page_access(address, bytes, PageAccess::read_write)) return Outcome::out_of_memory;
  const std::uintptr_t begin = start_of(address);
  for (auto piece = mapped_.find(begin); piece != mapped_.end() && piece->first < begin + bytes; ++piece) {
    MemoryBlock block = *memory_.find(address_of(piece->first));
    block.has_access = true;
    memory_.add_block(block);
  }
  return Outcome::ok;
}

std::optional<std::uintptr_t> AddressRanges::range_around(std::uintptr_t address, std::uint64_t bytes) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return std::nullopt;
  const auto range = std::prev(after);
  const bool is_inside = address % device_page_bytes == 0 && address + bytes <= range->first + range->second;
  return is_inside ? std::optional(range->first) : std::nullopt;
}

bool AddressRanges::overlaps_mapping(std::uintptr_t address, std::uint64_t bytes) const {
  const auto after = mapped_.lower_bound(address);
  if (after != mapped_.end() && after->first < address + bytes) return true;
  return after != mapped_.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address;
}

bool AddressRanges::are_whole_mappings(std::uintptr_t address, std::uint64_t bytes) const {
  std::uintptr_t at = address;
  while (at < address + bytes) {
    const auto piece = mapped_.find(at);
    if (piece == mapped_.end()) return false;
    at += piece->second.bytes;
  }
  return bytes > 0 && at == address + bytes;
}

void AddressRanges::drop_unused(PhysicalMemory memory) {
  const auto found = physical_.find(memory);
  if (found->second.is_held || found->second.is_mapped) return;
  memory_.give_back(found->second.device, found->second.bytes);
  physical_.erase(found);
}

}  // namespace stepgate::emulator
