// Memory of the machine: allocations, page-locked memory, pools and mapped ranges.
#include <algorithm>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

Allocated EmulatedMachine::allocate(const Caller& caller, std::uint64_t bytes, MemoryKind kind) {
  const Lock lock(mutex_);
  if (!has_device(caller.device)) return {Outcome::invalid_device};
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return {safe};
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return {state};
  const Allocated result = memory_.allocate(caller.device, bytes, kind);
  if (result.address != nullptr) {
    tell_allocated({.kind = kind, .device = caller.device, .address = result.address, .bytes = bytes});
  }
  return result;
}

Outcome EmulatedMachine::free(const Caller& caller, void* address) {
  Lock lock(mutex_);
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (address == nullptr) return Outcome::ok;
  const MemoryBlock* found = memory_.find(address);
  if (found == nullptr || found->address != address) return Outcome::invalid_value;
  const MemoryBlock block = *found;
  wait(lock,
       {.kind = WaitKind::free,
        .function = caller.function,
        .thread = caller.thread,
        .device = block.device,
        .correlation = caller.correlation},
       timeline_.ready_ns(block.device));
  if (const Outcome state = standing(block.device); state != Outcome::ok) return state;
  Outcome outcome = Outcome::ok;
  MemoryPool& pool = pool_of(block.device);
  if (pool.owns(address)) {
    outcome = pool.free(address);
    pool.release_block(address);
  } else {
    outcome = memory_.free(address, MemoryKind::device);
  }
  if (outcome == Outcome::ok) {
    tell_allocated({block.kind, block.device, address, block.asked_bytes, true});
  }
  return outcome;
}

Allocated EmulatedMachine::allocate_host(const Caller& caller, std::uint64_t bytes) {
  const Lock lock(mutex_);
  if (!has_device(caller.device)) return {Outcome::invalid_device};
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return {safe};
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return {state};
  const Allocated result = memory_.allocate_host(caller.device, bytes);
  if (result.address != nullptr) tell_allocated({MemoryKind::pinned, caller.device, result.address, bytes});
  return result;
}

Outcome EmulatedMachine::free_host(const Caller& caller, void* address) {
  Lock lock(mutex_);
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (address == nullptr) return Outcome::ok;
  const MemoryBlock* found = memory_.find(address);
  if (found == nullptr || found->address != address || found->kind != MemoryKind::pinned) return Outcome::invalid_value;
  const MemoryBlock block = *found;
  wait(lock,
       {.kind = WaitKind::free,
        .function = caller.function,
        .thread = caller.thread,
        .device = block.device,
        .correlation = caller.correlation},
       timeline_.ready_ns(block.device));
  if (const Outcome state = standing(block.device); state != Outcome::ok) return state;
  const Outcome outcome = memory_.free(address, MemoryKind::pinned);
  if (outcome == Outcome::ok) tell_allocated({MemoryKind::pinned, block.device, address, block.asked_bytes, true});
  return outcome;
}

Outcome EmulatedMachine::register_host(const Caller& caller, void* address, std::uint64_t bytes) {
  const Lock lock(mutex_);
  if (!has_device(caller.device)) return Outcome::invalid_device;
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return state;
  const Outcome outcome = memory_.register_host(address, bytes, caller.device);
  if (outcome == Outcome::ok) tell_allocated({MemoryKind::registered, caller.device, address, bytes});
  return outcome;
}

Outcome EmulatedMachine::unregister_host(const Caller& caller, void* address) {
  const Lock lock(mutex_);
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  const MemoryBlock* found = memory_.find(address);
  const std::uint64_t bytes = found == nullptr ? 0 : found->asked_bytes;
  const Outcome outcome = memory_.unregister_host(address);
  if (outcome == Outcome::ok) tell_allocated({MemoryKind::registered, caller.device, address, bytes, true});
  return outcome;
}

Allocated EmulatedMachine::allocate_async(const Caller& caller, std::uint64_t bytes, StreamHandle handle) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return {Outcome::invalid_handle};
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return {admitted};
  // Nodes that allocate are not modelled.
  if (const Outcome free_stream = captures_.stream_call(*stream); free_stream != Outcome::ok) return {free_stream};
  const Allocated result = pool_of(stream->device).allocate(bytes);
  if (result.address != nullptr) {
    tell_allocated({.kind = MemoryKind::pooled,
                    .device = stream->device,
                    .address = result.address,
                    .bytes = bytes,
                    .place = place_of_work(*stream)});
  }
  return result;
}

Outcome EmulatedMachine::free_async(const Caller& caller, void* address, StreamHandle handle) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  if (const Outcome free_stream = captures_.stream_call(*stream); free_stream != Outcome::ok) return free_stream;
  if (address == nullptr) return Outcome::ok;
  const MemoryBlock* block = memory_.find(address);
  if (block == nullptr || !pool_of(block->device).owns(address)) return Outcome::invalid_value;
  const int device = block->device;
  const std::uint64_t bytes = block->asked_bytes;
  pool_of(device).free(address);
  effects_.add(done_ns(*stream), [this, device, address] {
    const Lock lock_of_effect(mutex_);
    pool_of(device).release_block(address);
  });
  tell_allocated({.kind = MemoryKind::pooled,
                  .device = device,
                  .address = address,
                  .bytes = bytes,
                  .is_free = true,
                  .place = place_of_work(*stream),
                  .origin = origin_of(caller)});
  return Outcome::ok;
}

std::optional<MemoryBlock> EmulatedMachine::block_of(const void* address) const {
  const Lock lock(mutex_);
  const MemoryBlock* found = memory_.find(address);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

MemoryInfo EmulatedMachine::memory_info(int device) const {
  const Lock lock(mutex_);
  return memory_.info(device);
}

MemoryPool& EmulatedMachine::pool_of(int device) { return pools_.try_emplace(device, memory_, device).first->second; }

PoolUse EmulatedMachine::pool_use(int device) {
  const Lock lock(mutex_);
  return pool_of(device).use();
}

void EmulatedMachine::reset_pool_high_marks(int device) {
  const Lock lock(mutex_);
  pool_of(device).reset_high_marks();
}

void EmulatedMachine::set_pool_threshold(int device, std::uint64_t bytes) {
  const Lock lock(mutex_);
  pool_of(device).release_threshold_bytes = bytes;
}

std::uint64_t EmulatedMachine::pool_threshold(int device) {
  const Lock lock(mutex_);
  return pool_of(device).release_threshold_bytes;
}

void EmulatedMachine::trim_pool(int device, std::uint64_t kept_bytes) {
  const Lock lock(mutex_);
  pool_of(device).trim_to(kept_bytes);
}

Allocated EmulatedMachine::reserve_range(std::uint64_t bytes) {
  const Lock lock(mutex_);
  return ranges_.reserve(bytes);
}

Outcome EmulatedMachine::free_range(void* address, std::uint64_t bytes) {
  const Lock lock(mutex_);
  return ranges_.free(address, bytes);
}

PhysicalMade EmulatedMachine::create_physical(int device, std::uint64_t bytes) {
  const Lock lock(mutex_);
  if (!has_device(device)) return {Outcome::invalid_device};
  const PhysicalMade made = ranges_.create(device, bytes);
  if (made.outcome == Outcome::ok) tell_allocated({MemoryKind::mapped, device, nullptr, bytes});
  return made;
}

Outcome EmulatedMachine::release_physical(PhysicalMemory memory) {
  const Lock lock(mutex_);
  const std::optional<PhysicalFacts> facts = ranges_.facts(memory);
  const Outcome outcome = ranges_.release(memory);
  if (outcome == Outcome::ok) tell_allocated({MemoryKind::mapped, facts->device, nullptr, facts->bytes, true});
  return outcome;
}

Outcome EmulatedMachine::map_range(const Mapping& mapping) {
  const Lock lock(mutex_);
  return ranges_.map(mapping);
}

Outcome EmulatedMachine::unmap_range(void* address, std::uint64_t bytes) {
  const Lock lock(mutex_);
  return ranges_.unmap(address, bytes);
}

Outcome EmulatedMachine::allow_range(void* address, std::uint64_t bytes) {
  const Lock lock(mutex_);
  return ranges_.allow_access(address, bytes);
}

}  // namespace stepgate::emulator
