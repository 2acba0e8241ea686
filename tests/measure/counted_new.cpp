#include "measure/counted_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> allocations{0};

}  // namespace

namespace stepgate::test {

std::int64_t heap_allocations() { return allocations.load(); }

}  // namespace stepgate::test

// The library's array forms call these. The nothrow form is here too, because AddressSanitizer would otherwise use its
// own one, and report that another allocator frees std::stable_sort's buffer.
void* operator new(std::size_t size) {
  allocations.fetch_add(1);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1);
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
