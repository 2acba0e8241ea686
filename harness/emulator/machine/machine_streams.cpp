// Streams and events of the machine.
#include <algorithm>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

Outcome EmulatedMachine::admit(const StreamState& stream) {
  if (const Outcome state = standing(stream.device); state != Outcome::ok) return state;
  return stream.handle == legacy_stream ? captures_.legacy_call(stream.device) : Outcome::ok;
}

std::int64_t EmulatedMachine::done_ns(const StreamState& stream) const {
  // The legacy stream stands for all streams that wait for it.
  return stream.handle == legacy_stream ? timeline_.begin_ns(stream, 0) : stream.ready_ns;
}

/// Waits for streams, events and devices give what a pool need not hold back to the device (cudaMemPoolAttr, CUDA
/// Runtime API).
Outcome EmulatedMachine::after_wait(int device) {
  MemoryPool& pool = pool_of(device);
  pool.trim_to(pool.release_threshold_bytes);
  return standing(device);
}

Made EmulatedMachine::create_stream(const Caller& caller, const StreamFlags& flags) {
  const Lock lock(mutex_);
  if (!has_device(caller.device)) return {Outcome::invalid_device};
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return {state};
  return {Outcome::ok, timeline_.add(next_handle(), caller.device, flags).handle};
}

Outcome EmulatedMachine::destroy_stream(const Caller& caller, StreamHandle handle) {
  const Lock lock(mutex_);
  const bool is_given = handle == default_stream || handle == legacy_stream || handle == thread_stream;
  const StreamState* stream = is_given ? nullptr : stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  captures_.leave_destroyed(*stream);
  timeline_.remove(handle);
  return Outcome::ok;
}

Outcome EmulatedMachine::query_stream(const Caller& caller, StreamHandle handle) {
  Lock lock(mutex_);
  const StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  if (const Outcome free_stream = captures_.stream_call(*stream); free_stream != Outcome::ok) return free_stream;
  const std::int64_t now_ns = time_of_question(caller, done_ns(*stream));
  if (const Outcome state = standing(stream->device); state != Outcome::ok) return state;
  const bool is_done = done_ns(*stream) <= now_ns;
  if (is_done) tell_done(caller, {.device = stream->device, .stream = stream->handle});
  lock.unlock();
  effects_.settle(now_ns);
  return is_done ? Outcome::ok : Outcome::not_ready;
}

Outcome EmulatedMachine::synchronize_stream(const Caller& caller, StreamHandle handle) {
  Lock lock(mutex_);
  const StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  if (const Outcome free_stream = captures_.stream_call(*stream); free_stream != Outcome::ok) return free_stream;
  const int device = stream->device;
  spend_on_work(caller);
  wait(lock,
       {.kind = WaitKind::stream,
        .function = caller.function,
        .thread = caller.thread,
        .device = device,
        .stream = handle,
        .correlation = caller.correlation,
        .work_stream = stream->handle},
       done_ns(*stream));
  return after_wait(device);
}

Outcome EmulatedMachine::synchronize_device(const Caller& caller) {
  Lock lock(mutex_);
  if (!has_device(caller.device)) return Outcome::invalid_device;
  if (const Outcome free_device = captures_.device_call(caller.device); free_device != Outcome::ok) return free_device;
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return state;
  spend_on_work(caller);
  wait(lock,
       {.kind = WaitKind::device,
        .function = caller.function,
        .thread = caller.thread,
        .device = caller.device,
        .correlation = caller.correlation},
       timeline_.ready_ns(caller.device));
  return after_wait(caller.device);
}

std::optional<StreamFacts> EmulatedMachine::stream_facts(const Caller& caller, StreamHandle handle) {
  const Lock lock(mutex_);
  const StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return std::nullopt;
  return StreamFacts{stream->device, stream->number, stream->flags};
}

Made EmulatedMachine::create_event(const Caller& caller, const EventFlags& flags) {
  const Lock lock(mutex_);
  if (!has_device(caller.device)) return {Outcome::invalid_device};
  if (const Outcome state = standing(caller.device); state != Outcome::ok) return {state};
  const EventHandle handle = next_handle();
  EventState& event = events_[handle];
  event.flags = flags;
  event.device = caller.device;
  return {Outcome::ok, handle};
}

Outcome EmulatedMachine::destroy_event(EventHandle event) {
  const Lock lock(mutex_);
  for (MachineObserver* observer : observers_) observer->dropped_event(event);
  return events_.erase(event) == 1 ? Outcome::ok : Outcome::invalid_handle;
}

Outcome EmulatedMachine::record_event(const Caller& caller, EventHandle handle, StreamHandle stream_handle,
                                      bool external) {
  const Lock lock(mutex_);
  EventState* event = event_of(handle);
  StreamState* stream = stream_of(caller, stream_handle);
  if (event == nullptr || stream == nullptr || event->device != stream->device) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  const Operation operation{.kind = OperationKind::event_record, .event = handle};
  if (stream->capture != 0 && external) return add_node(*stream, operation);
  if (stream->capture != 0) {
    if (captures_.status(*stream) == CaptureStatus::invalidated) return Outcome::capture_invalidated;
    event->is_recorded = true;
    event->capture = stream->capture;
    event->tail = stream->tail;
    return Outcome::ok;
  }
  spend_on_work(caller);
  const Slot slot = timeline_.plan(*stream, operation, clock_->now_ns());
  event->is_recorded = true;
  event->at_ns = slot.end_ns;
  event->capture = 0;
  event->tail.clear();
  tell_planned({.operation = operation,
                .device = stream->device,
                .stream = stream->handle,
                .stream_number = stream->number,
                .begin_ns = slot.begin_ns,
                .end_ns = slot.end_ns,
                .correlation = caller.correlation,
                .is_blocking = place_of_work(*stream).is_blocking});
  return Outcome::ok;
}

Outcome EmulatedMachine::wait_event(const Caller& caller, StreamHandle stream_handle, EventHandle handle,
                                    bool external) {
  const Lock lock(mutex_);
  EventState* event = event_of(handle);
  StreamState* stream = stream_of(caller, stream_handle);
  if (event == nullptr || stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  const Operation operation{.kind = OperationKind::event_wait, .event = handle};
  if (stream->capture != 0 && external) return add_node(*stream, operation);
  if (event->capture != 0) return captures_.depend(*stream, event->capture, event->tail);
  if (!event->is_recorded) return Outcome::ok;  // as if its work were done
  if (stream->capture != 0) {
    captures_.invalidate(stream->capture);
    return Outcome::capture_isolation;
  }
  spend_on_work(caller);
  timeline_.hold_until(*stream, event->at_ns);
  tell_planned({.operation = operation,
                .device = stream->device,
                .stream = stream->handle,
                .stream_number = stream->number,
                .begin_ns = event->at_ns,
                .end_ns = event->at_ns,
                .correlation = caller.correlation,
                .is_blocking = place_of_work(*stream).is_blocking});
  return Outcome::ok;
}

Outcome EmulatedMachine::query_event(const Caller& caller, EventHandle handle) {
  Lock lock(mutex_);
  const EventState* event = event_of(handle);
  if (event == nullptr) return Outcome::invalid_handle;
  if (event->capture != 0) {
    captures_.invalidate(event->capture);
    return Outcome::captured_event;
  }
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (const Outcome state = standing(event->device); state != Outcome::ok) return state;
  const std::int64_t now_ns = time_of_question(caller, event->at_ns);
  if (const Outcome state = standing(event->device); state != Outcome::ok) return state;
  const bool is_done = !event->is_recorded || event->at_ns <= now_ns;
  if (is_done && event->is_recorded) tell_done(caller, {.device = event->device, .event = handle});
  lock.unlock();
  effects_.settle(now_ns);
  return is_done ? Outcome::ok : Outcome::not_ready;
}

Outcome EmulatedMachine::synchronize_event(const Caller& caller, EventHandle handle) {
  Lock lock(mutex_);
  const EventState* event = event_of(handle);
  if (event == nullptr) return Outcome::invalid_handle;
  if (event->capture != 0) {
    captures_.invalidate(event->capture);
    return Outcome::captured_event;
  }
  if (const Outcome safe = unsafe_call(caller); safe != Outcome::ok) return safe;
  if (const Outcome state = standing(event->device); state != Outcome::ok) return state;
  spend_on_work(caller);
  const int device = event->device;
  wait(lock,
       {.kind = WaitKind::event,
        .function = caller.function,
        .thread = caller.thread,
        .device = device,
        .event = handle,
        .correlation = caller.correlation},
       event->is_recorded ? event->at_ns : 0);
  return after_wait(device);
}

Elapsed EmulatedMachine::elapsed(EventHandle begin, EventHandle end) {
  const Lock lock(mutex_);
  const auto first = events_.find(begin);
  const auto last = events_.find(end);
  if (first == events_.end() || last == events_.end()) return {Outcome::invalid_handle};
  if (first->second.device != last->second.device) return {Outcome::invalid_handle};
  if (const Outcome state = standing(first->second.device); state != Outcome::ok) return {state};
  for (const EventState* event : {&first->second, &last->second}) {
    if (event->capture != 0) return {Outcome::captured_event};
    if (!event->flags.timing || !event->is_recorded) return {Outcome::invalid_handle};
    // Who was told that an event is done may ask for its time.
    if (event->at_ns > std::max(clock_->now_ns(), told_ns_)) return {Outcome::not_ready};
  }
  constexpr double ns_in_ms = 1e6;
  return {Outcome::ok, static_cast<double>(last->second.at_ns - first->second.at_ns) / ns_in_ms};
}

}  // namespace stepgate::emulator
