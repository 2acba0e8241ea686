// Every allocation and every release of tensor memory in the order in which they happened, with the boundary that ran.
// Only the memory pass keeps one: following each block costs time and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

/// What ran: a boundary of a step, or what follows its last one, when batch and loss are let go (no boundary).
struct MemoryPlace {
  std::int64_t step = -1;  ///< from the first step of the pass; -1 before it
  std::optional<Boundary> boundary = std::nullopt;

  bool operator==(const MemoryPlace&) const = default;
};

/// What the workload says about a block.
enum class MemoryRole { none, parameter, gradient };

struct TracedBlock {
  std::int64_t bytes = 0;  ///< as they were asked for
  MemoryPlace made;
  std::optional<MemoryPlace> freed = std::nullopt;  ///< absent: still there when tracing ended
  MemoryRole role = MemoryRole::none;
};

struct MemoryChange {
  enum class What { allocated, freed, reserved };
  What what = What::allocated;
  std::size_t block = 0;   ///< index into blocks(); of no meaning for `reserved`
  std::int64_t bytes = 0;  ///< added to what is live, or to what is reserved
};

/// The changes that happened at one place: from `first_change` up to the next span's.
struct MemorySpan {
  MemoryPlace place;
  std::size_t first_change = 0;
};

/// Writing is safe from several threads, and keeps one order over all of them. Reading is for when tracing has ended.
class MemoryTrace {
 public:
  /// Of the block itself, as the allocator handed it out.
  using Address = std::uintptr_t;

  /// What happens from now on happens there.
  void enter(MemoryPlace place);
  void allocate(Address address, std::int64_t bytes);
  /// Forgets the block; an address that is not known was made before tracing began, and is ignored.
  void release(Address address);
  /// The allocator took `bytes` from the device, or gave them back (negative).
  void reserve(std::int64_t bytes);
  /// Says what lies at `address` now. An address that begins no block of this allocator (a view of a file, host memory
  /// of a device case) is ignored. The first word stands: a gradient that becomes a parameter stays one.
  void mark(Address address, MemoryRole role);

  const std::vector<TracedBlock>& blocks() const { return blocks_; }
  const std::vector<MemoryChange>& changes() const { return changes_; }
  const std::vector<MemorySpan>& spans() const { return spans_; }

 private:
  std::mutex mutex_;
  std::vector<TracedBlock> blocks_;
  std::vector<MemoryChange> changes_;
  std::vector<MemorySpan> spans_ = {MemorySpan{}};
  std::unordered_map<Address, std::size_t> live_;
};

}  // namespace stepgate
