// Memory for the harness's own records, taken from the kernel and not through malloc: a pass's own records must not
// look like growth of the heap that it watches.
#pragma once

#include <cstdint>
#include <memory_resource>

namespace stepgate {

/// Allocates whole pages by mmap, so use it through a pool. Throws std::bad_alloc if the kernel gives none.
class PageMemory final : public std::pmr::memory_resource {
 public:
  /// What all of them hold now, in whole pages: a reader of the process's mappings leaves it out.
  static std::int64_t held_bytes();

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace stepgate
