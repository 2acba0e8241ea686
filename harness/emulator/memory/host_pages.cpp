#include "emulator/memory/host_pages.h"

#include <sys/mman.h>

namespace stepgate::emulator {
namespace {

constexpr int without_promise = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

int protection_of(PageAccess access) { return access == PageAccess::none ? PROT_NONE : PROT_READ | PROT_WRITE; }

}  // namespace

void* reserve_pages(std::uint64_t bytes, PageAccess access) {
  // The host aligns to pages of 4 KiB, so it is asked for more, and what lies around the aligned part goes back.
  void* raw = ::mmap(nullptr, bytes + device_page_bytes, protection_of(access), without_promise, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = in_device_pages(begin);
  if (aligned > begin) ::munmap(raw, aligned - begin);
  const std::uintptr_t end = begin + bytes + device_page_bytes;
  if (end > aligned + bytes) ::munmap(reinterpret_cast<void*>(aligned + bytes), end - aligned - bytes);
  return reinterpret_cast<void*>(aligned);
}

bool set_page_access(void* address, std::uint64_t bytes, PageAccess access) {
  return ::mprotect(address, bytes, protection_of(access)) == 0;
}

void drop_pages(void* address, std::uint64_t bytes) {
  ::mmap(address, bytes, PROT_NONE, without_promise | MAP_FIXED, -1, 0);
}

void release_pages(void* address, std::uint64_t bytes) { ::munmap(address, bytes); }

}  // namespace stepgate::emulator
