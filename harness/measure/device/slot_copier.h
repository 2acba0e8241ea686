// Copies each batch into one of a few sets of permanent device buffers, beside the compute of the step before
// (docs/design/measurement.md, "Copies to the device"). It knows no tensors: cuda_copier makes them of the buffers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "measure/device/device_queue.h"

namespace stepgate {

/// Gives an owner of all host memory of a batch.
using HoldSources = std::function<std::shared_ptr<const void>()>;

/// The compute stream waits for a copy, and a copy waits for the step that last read its buffers and for the work that
/// may still use the memory of new buffers. The host waits for none of them.
class SlotCopier {
 public:
  static constexpr std::size_t usual_slots = 2;  ///< one is read by a step while the other is written for the next

  /// `queue` must outlive this.
  explicit SlotCopier(DeviceQueue& queue, std::size_t slots = usual_slots);
  /// Waits for copies from memory that is kept for them.
  ~SlotCopier();
  SlotCopier(const SlotCopier&) = delete;
  SlotCopier& operator=(const SlotCopier&) = delete;

  /// Queues the copies. Returns one buffer for each block, at least as large; nullptr for a block without bytes where
  /// there was none before. They are valid until the next copy but `slots` - 1. `hold` is called only if the memory
  /// of the batch must be kept: pinned memory that no pool follows.
  std::span<const DeviceMemory> copy(std::span<const HostBytes> host, const HoldSources& hold);

  /// The step with the last copy is queued completely.
  void step_enqueued();

  /// Lets go of that buffer of the next copy, which somebody else still holds, and allocates another one of its size.
  /// Call it after step_enqueued().
  void replace(std::size_t block);

 private:
  /// Buffers grow to the largest block seen and never shrink.
  struct Slot {
    std::vector<DeviceMemory> buffers;
    std::vector<DeviceBlock> blocks;  ///< blocks of `buffers`
    EventId read_by_compute;          ///< after it the compute stream no longer reads them
  };
  struct HeldSources {
    std::shared_ptr<const void> sources;
    EventId copied;
  };
  void make_room(Slot& slot, std::span<const HostBytes> host);
  void allocate(Slot& slot, std::size_t block, std::int64_t bytes);
  void wait_for_allocated();
  void hold_until_copied(std::shared_ptr<const void> sources);
  void let_go_of_copied();

  DeviceQueue& queue_;
  std::vector<Slot> slots_;
  EventId allocated_;
  EventId copied_;
  std::vector<HeldSources> held_;     ///< in the order of their copies
  std::vector<EventId> idle_events_;  ///< for held_
  std::size_t copies_ = 0;
};

}  // namespace stepgate
