#include "measure/memory/page_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace stepgate {
namespace {

std::atomic<std::int64_t> mapped_by_all = 0;

std::int64_t in_pages(std::size_t bytes) {
  static const auto page = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  return (static_cast<std::int64_t>(bytes) + page - 1) / page * page;
}

}  // namespace

std::int64_t PageMemory::held_bytes() { return mapped_by_all; }

void* PageMemory::do_allocate(std::size_t bytes, std::size_t /*pages are aligned enough*/) {
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  mapped_by_all += in_pages(bytes);
  return block;
}

void PageMemory::do_deallocate(void* block, std::size_t bytes, std::size_t /*alignment*/) {
  munmap(block, bytes);
  mapped_by_all -= in_pages(bytes);
}

}  // namespace stepgate
