#include "measure/memory/page_memory.h"

#include <sys/mman.h>

#include <new>

namespace stepgate {

void* PageMemory::do_allocate(std::size_t bytes, std::size_t /*pages are aligned enough*/) {
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  return block;
}

void PageMemory::do_deallocate(void* block, std::size_t bytes, std::size_t /*alignment*/) { munmap(block, bytes); }

}  // namespace stepgate
