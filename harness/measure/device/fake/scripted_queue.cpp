#include "measure/device/fake/scripted_queue.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

ScriptedQueue::ScriptedQueue(const ScriptedCosts& costs) : costs_(costs) {}

EventId ScriptedQueue::make_event(EventTiming timing) {
  events_.push_back({timing, false, {}});
  return static_cast<EventId>(events_.size() - 1);
}

void ScriptedQueue::record(EventId event, Stream stream) {
  memory_->throw_kept_hazard();
  work_on_host(costs_.record_ns);
  at(event).moment = timeline_->moment(stream);
  at(event).recorded = true;
}

void ScriptedQueue::wait(Stream stream, EventId event) {
  if (at(event).recorded) timeline_->wait(stream, at(event).moment);
}

bool ScriptedQueue::is_done(EventId event) { return !at(event).recorded || timeline_->is_past(at(event).moment); }

void ScriptedQueue::synchronize(EventId event) {
  if (at(event).recorded) timeline_->synchronize(at(event).moment);
}

void ScriptedQueue::synchronize() {
  memory_->throw_kept_hazard();
  timeline_->synchronize();
}

std::int64_t ScriptedQueue::elapsed_ns(EventId from, EventId to) {
  for (const EventId event : {from, to}) {
    const Event& found = at(event);
    if (found.timing == EventTiming::on && found.recorded && timeline_->host_knows(found.moment)) continue;
    const std::string_view why = found.timing == EventTiming::off ? "has no timing"
                                 : !found.recorded                ? "was not recorded"
                                                                  : "was not waited for";
    throw Error(ErrorKind::measure, fmt::format("event {} {}", static_cast<std::size_t>(event), why),
                "synchronise between recording an event and reading it");
  }
  return at(to).moment.ns - at(from).moment.ns;
}

DeviceMemory ScriptedQueue::allocate(std::int64_t bytes, Stream stream) {
  memory_->throw_kept_hazard();
  return memory_->allocate(bytes, stream);
}

void ScriptedQueue::record_stream(const DeviceMemory& memory, Stream stream) {
  memory_->record_stream(*memory, stream);
}

HostBuffer ScriptedQueue::allocate_host(std::int64_t bytes, HostMemory memory) {
  return memory_->allocate_host(bytes, memory == HostMemory::pinned ? HostOrigin::pool : HostOrigin::pageable);
}

bool ScriptedQueue::copy_to_device(const HostBytes& from, const DeviceBlock& to, Stream stream, CallSite site) {
  if (to.bytes < from.bytes) {
    throw Hazard(fmt::format("hazard: \"{} slot {}, tensor {}\" writes {} bytes into {}", site.what, site.slot,
                             site.tensor, from.bytes, to.bytes));
  }
  work_on_host(costs_.queue_copy_ns);
  const Access access = timeline_->run(stream, copy_ns(from.bytes), site);
  memory_->read(from.address, access);
  memory_->write(to.address, access);
  if (from.memory == HostMemory::pinned) return memory_->note_copy(from, stream);
  timeline_->synchronize(timeline_->moment(stream));
  return true;
}

void ScriptedQueue::copy_to_host(const DeviceBlock& from, const HostBytes& to, Stream stream, CallSite site) {
  work_on_host(costs_.queue_copy_ns);
  const Access access = timeline_->run(stream, copy_ns(to.bytes), site);
  memory_->read(from.address, access);
  memory_->write(to.address, access);
  memory_->note_copy(to, stream);
}

void ScriptedQueue::fill(const DeviceBlock& block, unsigned char /*byte*/, Stream stream, CallSite site) {
  memory_->write(block.address, timeline_->run(stream, copy_ns(block.bytes), site));
}

void ScriptedQueue::occupy(Stream stream, std::int64_t at_least_ns) { timeline_->run(stream, at_least_ns, {}); }

void ScriptedQueue::launch(const ScriptedKernel& kernel) {
  const Access access = timeline_->run(kernel.stream, kernel.ns, kernel.site);
  for (const DeviceMemory& memory : kernel.reads) memory_->read(memory->address, access);
  for (const DeviceMemory& memory : kernel.writes) memory_->write(memory->address, access);
}

void ScriptedQueue::read_on_host(const void* address, const CallSite& site) {
  memory_->read(address, timeline_->run_on_host(site));
}

void ScriptedQueue::write_on_host(const void* address, const CallSite& site) {
  memory_->write(address, timeline_->run_on_host(site));
}

ScriptedQueue::Event& ScriptedQueue::at(EventId event) {
  const auto index = static_cast<std::size_t>(event);
  if (index < events_.size()) return events_[index];
  throw Error(ErrorKind::measure, fmt::format("there is no event {}", index), "make it first");
}

}  // namespace stepgate
