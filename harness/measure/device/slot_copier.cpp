#include "measure/device/slot_copier.h"

#include <exception>
#include <utility>

#include "measure/device/queued_copies.h"

namespace stepgate {

SlotCopier::SlotCopier(DeviceQueue& queue, std::size_t slots)
    : queue_(queue), allocated_(queue.make_event(EventTiming::off)), copied_(queue.make_event(EventTiming::off)) {
  for (std::size_t i = 0; i < slots; ++i) slots_.push_back({{}, {}, queue.make_event(EventTiming::off)});
}

SlotCopier::~SlotCopier() {
  try {
    for (const HeldSources& held : held_) queue_.synchronize(held.copied);
  } catch (const std::exception&) {
    // The device is lost, so it copies no more.
  }
}

std::span<const DeviceMemory> SlotCopier::copy(std::span<const HostBytes> host, const HoldSources& hold) {
  const std::size_t index = copies_ % slots_.size();
  Slot& slot = slots_[index];
  let_go_of_copied();
  make_room(slot, host);
  const bool may_free = queue_copies(queue_, host, slot.blocks, {"copier: write of", index, 0});
  queue_.record(copied_, Stream::copy);
  queue_.wait(Stream::compute, copied_);
  if (!may_free) hold_until_copied(hold());
  ++copies_;
  return std::span(slot.buffers).first(host.size());
}

void SlotCopier::step_enqueued() {
  if (copies_ == 0) return;
  queue_.record(slots_[(copies_ - 1) % slots_.size()].read_by_compute, Stream::compute);
  // The wait for the next buffers belongs between the steps. Inside the copy boundary it would count as copy time if
  // the host runs ahead (step_actions.h).
  queue_.wait(Stream::copy, slots_[copies_ % slots_.size()].read_by_compute);
}

void SlotCopier::make_room(Slot& slot, std::span<const HostBytes> host) {
  if (slot.buffers.size() < host.size()) {
    slot.buffers.resize(host.size());
    slot.blocks.resize(host.size());
  }
  bool allocated = false;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (slot.blocks[i].bytes >= host[i].bytes) continue;
    allocate(slot, i, host[i].bytes);
    allocated = true;
  }
  if (allocated) wait_for_allocated();
}

void SlotCopier::allocate(Slot& slot, std::size_t block, std::int64_t bytes) {
  slot.blocks[block] = {};      // allocating may throw
  slot.buffers[block].reset();  // safe: compute has waited for the copies into it, and its reads are queued there
  slot.buffers[block] = queue_.allocate(bytes, Stream::compute);
  slot.blocks[block] = *slot.buffers[block];
}

/// The allocator may have given memory that work still queued on the compute stream uses.
void SlotCopier::wait_for_allocated() {
  queue_.record(allocated_, Stream::compute);
  queue_.wait(Stream::copy, allocated_);
}

void SlotCopier::replace(std::size_t block) {
  Slot& slot = slots_[copies_ % slots_.size()];
  if (block >= slot.buffers.size() || slot.blocks[block].bytes == 0) return;
  allocate(slot, block, slot.blocks[block].bytes);
  wait_for_allocated();
}

void SlotCopier::hold_until_copied(std::shared_ptr<const void> sources) {
  if (idle_events_.empty()) idle_events_.push_back(queue_.make_event(EventTiming::off));
  const EventId copied = idle_events_.back();
  idle_events_.pop_back();
  queue_.record(copied, Stream::copy);
  held_.push_back({std::move(sources), copied});
}

void SlotCopier::let_go_of_copied() {
  while (!held_.empty() && queue_.is_done(held_.front().copied)) {
    idle_events_.push_back(held_.front().copied);
    held_.erase(held_.begin());
  }
}

}  // namespace stepgate
