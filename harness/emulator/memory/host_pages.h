// Address space of the host that stands for device memory. Pages take room when they are first written.
#pragma once

#include <cstdint>

namespace stepgate::emulator {

/// Device memory comes in pieces of it, as cudaMalloc's does.
inline constexpr std::uint64_t device_page_bytes = 2ULL << 20U;

/// `bytes` up to the next whole device page.
constexpr std::uint64_t in_device_pages(std::uint64_t bytes) {
  return (bytes + device_page_bytes - 1) / device_page_bytes * device_page_bytes;
}

enum class PageAccess { none, read_write };

/// `bytes` of address space at a multiple of device_page_bytes, all zero; nullptr where the host has none left. `bytes`
/// is a multiple of it, too.
void* reserve_pages(std::uint64_t bytes, PageAccess access);
/// Whether the host allowed it.
bool set_page_access(void* address, std::uint64_t bytes, PageAccess access);
/// Gives the contents back to the host and keeps the address space, without access.
void drop_pages(void* address, std::uint64_t bytes);
void release_pages(void* address, std::uint64_t bytes);

}  // namespace stepgate::emulator
