// Work that a program gives the machine: operations, copies, memsets, values.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {
namespace {

/// Bytes from the first to the last of a copy's side.
std::uint64_t reach_of(const CopyRequest& request, std::uint64_t pitch_bytes) {
  return request.rows <= 1 ? request.bytes : (request.rows - 1) * pitch_bytes + request.bytes;
}

CopyDirection direction_between(const MemoryBlock* to, const MemoryBlock* from) {
  if (is_device_side(to) && is_device_side(from)) {
    return to->device == from->device ? CopyDirection::device_to_device : CopyDirection::peer;
  }
  if (is_device_side(to)) return CopyDirection::host_to_device;
  return is_device_side(from) ? CopyDirection::device_to_host : CopyDirection::host_to_host;
}

/// Pageable memory of the host is left out: the copy is done with it when the call returns.
MemoryAccesses accesses_of(const CopyRequest& request, const MemoryBlock* to, const MemoryBlock* from) {
  const bool has_gaps = request.rows > 1;
  MemoryAccesses accesses;
  if (from != nullptr) accesses.push_back({request.from, reach_of(request, request.from_pitch_bytes), false, has_gaps});
  if (to != nullptr) accesses.push_back({request.to, reach_of(request, request.to_pitch_bytes), true, has_gaps});
  return accesses;
}

void copy_rows(const CopyRequest& request, const char* from, std::uint64_t from_pitch_bytes) {
  for (std::uint64_t row = 0; row < request.rows; ++row) {
    std::memmove(static_cast<char*>(request.to) + row * request.to_pitch_bytes, from + row * from_pitch_bytes,
                 request.bytes);
  }
}

/// What is read now from host memory that the program may change as soon as the call returns.
Effect staged_copy(const CopyRequest& request) {
  auto staged = std::make_shared<std::vector<char>>(request.bytes * request.rows);
  for (std::uint64_t row = 0; row < request.rows; ++row) {
    std::memcpy(staged->data() + row * request.bytes,
                static_cast<const char*>(request.from) + row * request.from_pitch_bytes, request.bytes);
  }
  return [request, staged] { copy_rows(request, staged->data(), request.bytes); };
}

/// Instead of what the device holds.
Effect other_copy(const CopyRequest& request) {
  return [request] {
    for (std::uint64_t row = 0; row < request.rows; ++row) {
      std::memset(static_cast<char*>(request.to) + row * request.to_pitch_bytes, other_answer, request.bytes);
    }
  };
}

Effect direct_copy(const CopyRequest& request) {
  return [request] { copy_rows(request, static_cast<const char*>(request.from), request.from_pitch_bytes); };
}

void fill(const SetRequest& request) {
  char* const to = static_cast<char*>(request.to);
  if (request.value_bytes == 1) {
    std::memset(to, static_cast<int>(request.value), request.bytes);
    return;
  }
  for (std::uint64_t at = 0; at + request.value_bytes <= request.bytes; at += request.value_bytes) {
    std::memcpy(to + at, &request.value, request.value_bytes);  // the low bytes come first
  }
}

}  // namespace

Outcome EmulatedMachine::submit(const Caller& caller, StreamHandle handle, Operation operation) {
  Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  const bool is_kernel = operation.kind == OperationKind::kernel;
  if (is_kernel && stream->device != caller.device) return Outcome::invalid_handle;
  for (MachineObserver* observer : observers_) observer->submitted({caller.thread, handle, stream->device, operation});
  return queue(lock, caller, *stream, {Outcome::ok, std::move(operation), false});
}

Outcome EmulatedMachine::copy(const Caller& caller, const CopyRequest& request) {
  Lock lock(mutex_);
  StreamState* stream = stream_of(caller, request.stream);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (request.synchronous) {
    if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  }
  if (request.bytes == 0 || request.rows == 0) return Outcome::ok;
  Prepared prepared = prepare(request);
  if (prepared.outcome != Outcome::ok) return prepared.outcome;
  if (stream->capture != 0 && prepared.operation.pageable) return captures_.stream_call(*stream);
  return queue(lock, caller, *stream, std::move(prepared));
}

Outcome EmulatedMachine::set(const Caller& caller, const SetRequest& request) {
  Lock lock(mutex_);
  StreamState* stream = stream_of(caller, request.stream);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (request.synchronous) {
    if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  }
  if (request.bytes == 0) return Outcome::ok;
  Prepared prepared = prepare(request);
  if (prepared.outcome != Outcome::ok) return prepared.outcome;
  return queue(lock, caller, *stream, std::move(prepared));
}

Outcome EmulatedMachine::add_effect(const Caller& caller, StreamHandle handle, Effect effect) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  if (stream->capture != 0) {
    return add_node(*stream, {.kind = OperationKind::effect_only, .effect = std::move(effect)});
  }
  effects_.add(done_ns(*stream), std::move(effect));
  return Outcome::ok;
}

Outcome EmulatedMachine::queue(Lock& lock, const Caller& caller, StreamState& stream, Prepared prepared) {
  if (const Outcome admitted = admit(stream); admitted != Outcome::ok) return admitted;
  if (!prepared.operation.accesses.empty()) prepared.operation.origin = origin_of(caller);
  if (stream.capture != 0) return add_node(stream, std::move(prepared.operation));
  const Operation& operation = prepared.operation;
  spend_on_work(caller);
  ++operations_[stream.device];
  if (operation.meet) {
    const StreamHandle handle = stream.handle;
    const int device = stream.device;
    const std::int64_t begin_ns = timeline_.begin_ns(stream, clock_->now_ns());
    const std::int64_t end_ns = meet(lock, operation, begin_ns);
    StreamState* still = handle == legacy_stream ? &timeline_.default_of(device) : timeline_.find(handle);
    if (still == nullptr) return Outcome::invalid_handle;  // destroyed meanwhile
    timeline_.hold_until(*still, end_ns);
    tell_planned({.operation = operation,
                  .device = device,
                  .stream = handle,
                  .stream_number = still->number,
                  .begin_ns = begin_ns,
                  .end_ns = end_ns,
                  .correlation = caller.correlation,
                  .is_blocking = place_of_work(*still).is_blocking});
    return Outcome::ok;
  }
  const Slot slot = timeline_.plan(stream, operation, clock_->now_ns());
  tell_planned({.operation = operation,
                .device = stream.device,
                .stream = stream.handle,
                .stream_number = stream.number,
                .begin_ns = slot.begin_ns,
                .end_ns = slot.end_ns,
                .correlation = caller.correlation,
                .is_blocking = place_of_work(stream).is_blocking});
  effects_.add(slot.end_ns, operation.effect, effect_kind_of(operation));
  stream.queued_ends_ns.push_back(slot.end_ns);
  if (prepared.waits) {
    const int device = stream.device;
    wait(lock,
         {.kind = WaitKind::copy,
          .function = caller.function,
          .thread = caller.thread,
          .device = device,
          .stream = stream.handle,
          .correlation = caller.correlation,
          .work_stream = stream.handle},
         slot.end_ns);
    return standing(device);
  }
  leave_room(lock, stream);
  return Outcome::ok;
}

/// In virtual time the clock stays where it is: the function only runs early, after all that comes before it.
void EmulatedMachine::run_due_host_function() {
  const std::optional<std::int64_t> next_ns = effects_.next_function_ns();
  if (!next_ns) return;
  constexpr std::chrono::milliseconds no_time(0);
  const bool is_due = *next_ns <= clock_->now_ns() || effects_.wait_for_wanted_function(no_time);
  if (is_due) return effects_.settle(*next_ns);
  if (options_.clock == ClockKind::real_time) return;
  Lock lock(mutex_);
  const bool is_idle = all_wait(options_.function_patience_ms);
  lock.unlock();
  if (is_idle) effects_.settle_if_free(*next_ns);
}

void EmulatedMachine::leave_room(Lock& lock, StreamState& stream) {
  const std::int64_t now_ns = clock_->now_ns();
  const std::int64_t room_ns = timeline_.room_ns(stream, now_ns);
  lock.unlock();
  clock_->wait_until(room_ns);
  effects_.settle_if_free(clock_->now_ns());
}

std::int64_t EmulatedMachine::meet(Lock& lock, const Operation& operation, std::int64_t begin_ns) {
  lock.unlock();
  effects_.settle(begin_ns);
  const Meeting meeting = operation.meet(begin_ns);
  lock.lock();
  return std::max(begin_ns, meeting.end_ns);
}

Outcome EmulatedMachine::settle_stream(const Caller& caller, StreamHandle handle) {
  Lock lock(mutex_);
  const StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  const std::int64_t until_ns = done_ns(*stream);
  lock.unlock();
  effects_.settle(until_ns);
  return Outcome::ok;
}

/// With values, a copy that moves nothing would make what follows wrong.
bool EmulatedMachine::moves(std::uint64_t bytes) const {
  return options_.mode == ValueMode::values || bytes <= options_.moved_bytes_limit;
}

EmulatedMachine::Prepared EmulatedMachine::prepare(const CopyRequest& request) const {
  const MemoryBlock* to = memory_.find(request.to);
  const MemoryBlock* from = memory_.find(request.from);
  if (request.to == nullptr || request.from == nullptr) return {Outcome::invalid_value, {}, false};
  // The host's own memory has no border that is known.
  const std::uint64_t to_bytes = reach_of(request, request.to_pitch_bytes);
  const std::uint64_t from_bytes = reach_of(request, request.from_pitch_bytes);
  if (!memory_.reaches(request.to, to_bytes) || !memory_.reaches(request.from, from_bytes)) {
    return {Outcome::invalid_value, {}, false};
  }
  const std::uint64_t bytes = request.bytes * request.rows;
  const CopyDirection direction = direction_between(to, from);
  const bool pageable = to == nullptr || from == nullptr;
  Prepared prepared;
  prepared.operation = {.kind = OperationKind::copy,
                        .name = "copy",
                        .cost_ns = copy_ns(model(), direction, bytes, pageable),
                        .bytes = bytes,
                        .direction = direction,
                        .pageable = pageable,
                        .moved = moves(bytes),
                        .accesses = accesses_of(request, to, from)};
  // Rules: CUDA Runtime API, "API synchronization behavior".
  const bool to_pageable_host = direction == CopyDirection::device_to_host && pageable;
  prepared.waits = request.synchronous ? direction != CopyDirection::device_to_device
                                       : to_pageable_host || direction == CopyDirection::host_to_host;
  const bool is_within_devices = direction == CopyDirection::device_to_device || direction == CopyDirection::peer;
  if (!prepared.operation.moved || (is_within_devices && !request.has_values)) return prepared;
  if (direction == CopyDirection::device_to_host && options_.answers == DeviceAnswers::other) {
    prepared.operation.effect = other_copy(request);
    return prepared;
  }
  const bool is_staged = direction == CopyDirection::host_to_device && pageable && !prepared.waits;
  prepared.operation.effect = is_staged ? staged_copy(request) : direct_copy(request);
  return prepared;
}

EmulatedMachine::Prepared EmulatedMachine::prepare(const SetRequest& request) const {
  const MemoryBlock* to = memory_.find(request.to);
  const bool is_width = request.value_bytes == 1 || request.value_bytes == 2 || request.value_bytes == 4;
  if (to == nullptr || !is_width || !memory_.reaches(request.to, request.bytes)) {
    return {Outcome::invalid_value, {}, false};
  }
  Prepared prepared;
  prepared.operation = {.kind = OperationKind::memset,
                        .name = "memset",
                        .cost_ns = memset_ns(model(), request.bytes),
                        .bytes = request.bytes,
                        .moved = moves(request.bytes),
                        .accesses = MemoryAccesses{MemoryAccess{request.to, request.bytes, true}}};
  prepared.waits = request.synchronous && !is_device_side(to);
  if (prepared.operation.moved && request.has_values) prepared.operation.effect = [request] { fill(request); };
  return prepared;
}

}  // namespace stepgate::emulator
