// Every allocation and release of tensor memory in order, with the current boundary. Only the memory pass keeps a
// trace, because following each block costs time and memory. That memory does not come from malloc, because the same
// pass watches the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/boundary.h"
#include "measure/memory/page_memory.h"

namespace stepgate {

/// A position in a step: a boundary, or after the last one the release of batch and loss (no boundary).
struct MemoryPlace {
  std::int64_t step = -1;  ///< from the first step of the pass; -1 before it
  std::optional<Boundary> boundary = std::nullopt;

  bool operator==(const MemoryPlace&) const = default;
};

/// The role that the workload gives a block.
enum class MemoryRole { none, parameter, gradient };

struct TracedBlock {
  std::int64_t bytes = 0;  ///< as requested
  MemoryPlace made;
  std::optional<MemoryPlace> freed = std::nullopt;  ///< absent: still live when tracing ended
  MemoryRole role = MemoryRole::none;
};

struct MemoryChange {
  enum class What { allocated, freed, reserved };
  What what = What::allocated;
  std::size_t block = 0;   ///< index into blocks(); unused for `reserved`
  std::int64_t bytes = 0;  ///< added to the live or to the reserved bytes
};

/// The changes within one position: from `first_change` up to the next span's.
struct MemorySpan {
  MemoryPlace place;
  std::size_t first_change = 0;
};

/// Several threads may write; all their changes have one order. Read it only after tracing has ended.
class MemoryTrace {
 public:
  /// The address of the block itself, as the allocator returned it.
  using Address = std::uintptr_t;

  /// Later changes belong to `place`.
  void enter(MemoryPlace place);
  /// The changes since the last enter() belong to `place`, not to the one that it gave: a loop ended a boundary of its
  /// own.
  void correct(MemoryPlace place);
  void allocate(Address address, std::int64_t bytes);
  /// Records the release of a block. Ignores an unknown address, which was allocated before tracing began.
  void release(Address address);
  /// Records that the allocator took `bytes` from the device, or returned them (negative).
  void reserve(std::int64_t bytes);
  /// Gives the block at `address` its role. Ignores an address that is not the begin of a block of this allocator (a
  /// view of a file, host memory of a device case), and a second role (a gradient that becomes a parameter stays a
  /// gradient).
  void mark(Address address, MemoryRole role);

  const std::pmr::vector<TracedBlock>& blocks() const { return blocks_; }
  const std::pmr::vector<MemoryChange>& changes() const { return changes_; }
  const std::pmr::vector<MemorySpan>& spans() const { return spans_; }

 private:
  std::mutex mutex_;
  PageMemory pages_;
  std::pmr::unsynchronized_pool_resource pool_{&pages_};  ///< used under mutex_
  std::pmr::vector<TracedBlock> blocks_{&pool_};
  std::pmr::vector<MemoryChange> changes_{&pool_};
  std::pmr::vector<MemorySpan> spans_{{MemorySpan{}}, &pool_};
  std::pmr::unordered_map<Address, std::size_t> live_{&pool_};
};

}  // namespace stepgate
