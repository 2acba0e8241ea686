// The memory of the scripted device: an allocator that reuses the blocks of a stream at once, a pool of pinned memory,
// and for each block the accesses that later ones must be ordered behind.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "measure/device/fake/scripted_timeline.h"

namespace stepgate {

/// Two accesses to one block that nothing orders, or memory given back while an access is pending.
class Hazard final : public Error {
 public:
  explicit Hazard(const std::string& what)
      : Error(ErrorKind::measure, what, "record an event behind the first, and let the second wait for it") {}
};

/// The source of a copy's host memory.
enum class HostOrigin {
  pool,     ///< pinned, from the allocator that follows copies
  foreign,  ///< pinned by somebody else, who frees it at once
  pageable,
};

/// Blocks are addresses without memory behind them. They may outlive the queue that they came from, so each holds this.
class ScriptedMemory : public std::enable_shared_from_this<ScriptedMemory> {
 public:
  explicit ScriptedMemory(std::shared_ptr<ScriptedTimeline> timeline) : timeline_(std::move(timeline)) {}

  /// A freed block of this stream that is large enough, or a new one.
  DeviceMemory allocate(std::int64_t bytes, Stream stream);
  void record_stream(const DeviceBlock& block, Stream stream);
  /// Takes it from the pool: a freed block of the same size, rounded up to a power of two, if its copies are complete.
  HostBuffer allocate_host(std::int64_t bytes, HostOrigin origin);
  /// The pool reuses the block only after what `stream` holds when it is freed. False for memory not from the pool.
  bool note_copy(const HostBytes& bytes, Stream stream);
  /// Frees what no block uses, as LibTorch's emptyCache().
  void release_cached();

  // These throw Hazard where the access is not ordered behind the last conflicting one.
  void read(const void* address, const Access& access);
  void write(const void* address, const Access& access);
  /// Throws a hazard that freeing a block found. Freeing itself cannot throw.
  void throw_kept_hazard() const;

  std::int64_t reserved_bytes() const { return reserved_bytes_; }
  std::int64_t device_mallocs() const { return device_mallocs_; }  ///< blocks that could not be reused
  std::int64_t pinned_mallocs() const { return pinned_mallocs_; }  ///< the same for pinned memory

 private:
  struct Region {
    std::uintptr_t address = 0;
    std::int64_t bytes = 0;
    Stream stream = Stream::compute;
    HostOrigin origin = HostOrigin::pool;
    std::array<bool, 2> used_on{};        ///< by Stream: noted until it is freed
    std::vector<StreamMoment> pending{};  ///< freed, and reusable after these
    AccessLog log{};
  };
  Region& add_region(std::int64_t bytes);
  Region& region_at(const void* address);
  bool is_reusable(Region& region);
  /// Takes the smallest free region that is large enough out of `free`; nullptr if there is none.
  Region* take(std::vector<Region*>& free, std::int64_t bytes, std::int64_t most_bytes);
  void put_back(Region& region, std::vector<Region*>& free);
  void put_back_host(Region& region);
  std::string hazard_text(const Access& later, const Access& earlier) const;

  std::shared_ptr<ScriptedTimeline> timeline_;
  std::deque<Region> regions_;                          ///< by address, of device and host
  std::array<std::vector<Region*>, 2> free_on_stream_;  ///< by Stream
  std::vector<Region*> free_pinned_;
  std::uintptr_t next_address_ = 4096;
  std::int64_t reserved_bytes_ = 0;
  std::int64_t device_mallocs_ = 0;
  std::int64_t pinned_mallocs_ = 0;
  std::string kept_hazard_;
};

}  // namespace stepgate
