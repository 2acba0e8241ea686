// What a program tells of the memory that its work reads and writes.
#include <algorithm>
#include <iterator>
#include <utility>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

Outcome EmulatedMachine::add_accesses(const Caller& caller, StreamHandle handle, MemoryAccesses accesses) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (accesses.empty()) return Outcome::ok;
  const std::uint32_t origin = origin_of(caller);
  if (stream->capture != 0) {
    return add_node(*stream, {.kind = OperationKind::effect_only, .accesses = std::move(accesses), .origin = origin});
  }
  for (MachineObserver* observer : observers_) observer->accessed({place_of_work(*stream), accesses, origin});
  return Outcome::ok;
}

void EmulatedMachine::add_host_accesses(const Caller& caller, const MemoryAccesses& accesses) {
  const Lock lock(mutex_);
  MemoryAccesses kept;
  std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(kept), [this](const MemoryAccess& access) {
    const MemoryBlock* block = memory_.find(access.begin);
    return block != nullptr && !is_device_side(block);
  });
  if (kept.empty()) return;
  const std::uint32_t origin = origin_of(caller);
  for (MachineObserver* observer : observers_) {
    observer->acts(caller.thread);
    observer->accessed_by_host(kept, origin);
  }
}

}  // namespace stepgate::emulator
