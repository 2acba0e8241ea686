#include "emulator/machine/emulated_machine.h"

#include <algorithm>

#include "emulator/model/shown_devices.h"

namespace stepgate::emulator {
namespace {

std::vector<std::uint64_t> memory_of_each(const MachineOptions& options, std::size_t devices) {
  return std::vector<std::uint64_t>(devices, options.memory_bytes.value_or(options.model->memory_bytes));
}

/// What a program sees of a fault with this Xid. Numbers: NVIDIA's page "Xid Errors".
Outcome outcome_of_xid(std::int64_t xid) {
  constexpr std::int64_t double_bit_error = 48;
  constexpr std::int64_t off_the_bus = 79;
  constexpr std::int64_t uncontained_error = 95;
  if (xid == off_the_bus) return Outcome::device_lost;
  if (xid == double_bit_error || xid == uncontained_error) return Outcome::uncorrectable_memory;
  return Outcome::illegal_address;
}

}  // namespace

EmulatedMachine::EmulatedMachine(MachineOptions options, const std::optional<std::string>& shown, DeviceScript script)
    : options_(std::move(options)),
      shown_(shown_devices(options_, shown)),
      script_(std::move(script)),
      clock_(make_clock(options_.clock)),
      start_ns_(clock_->now_ns()),
      memory_(memory_of_each(options_, shown_.size())),
      ranges_(memory_),
      timeline_(options_.device_scale),
      captures_(timeline_) {}

EmulatedMachine::~EmulatedMachine() = default;

std::uint64_t EmulatedMachine::memory_bytes() const { return options_.memory_bytes.value_or(model().memory_bytes); }

void EmulatedMachine::fail_device(int device, Outcome outcome) {
  const Lock lock(mutex_);
  failed_[device] = outcome;
}

Outcome EmulatedMachine::device_outcome(int device) {
  const Lock lock(mutex_);
  return standing(device);
}

std::int64_t EmulatedMachine::operations_of(int device) const {
  const Lock lock(mutex_);
  const auto found = operations_.find(device);
  return found == operations_.end() ? 0 : found->second;
}

Outcome EmulatedMachine::enable_peer_access(int from, int to) {
  const Lock lock(mutex_);
  if (!has_device(from) || !has_device(to) || from == to) return Outcome::invalid_device;
  if (!model().peer_links) return Outcome::not_supported;
  return peers_.insert({from, to}).second ? Outcome::ok : Outcome::peer_access_enabled;
}

Outcome EmulatedMachine::disable_peer_access(int from, int to) {
  const Lock lock(mutex_);
  return peers_.erase({from, to}) == 1 ? Outcome::ok : Outcome::peer_access_missing;
}

bool EmulatedMachine::has_peer_access(int from, int to) const {
  const Lock lock(mutex_);
  return peers_.count({from, to}) == 1;
}

EmulatedMachine::Holdings EmulatedMachine::holdings() const {
  const Lock lock(mutex_);
  return {timeline_.size(), events_.size(), graphs_.graphs(), graphs_.executables(), captures_.open(), effects_.size()};
}

Handle EmulatedMachine::next_handle() { return last_handle_ += handle_step; }

StreamState* EmulatedMachine::stream_of(const Caller& caller, StreamHandle stream) {
  if (!has_device(caller.device)) return nullptr;
  if (stream == default_stream || stream == legacy_stream) return &timeline_.default_of(caller.device);
  if (stream != thread_stream) return timeline_.find(stream);
  StreamHandle& handle = thread_streams_[{caller.device, caller.thread}];
  if (handle == 0) handle = timeline_.add(next_handle(), caller.device, {}).handle;
  return timeline_.find(handle);
}

EmulatedMachine::EventState* EmulatedMachine::event_of(EventHandle event) {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

/// Each call that gives a device work, waits for it or asks about it begins with this, and each wait ends with it. So a
/// scripted fault is seen by whatever comes first.
Outcome EmulatedMachine::standing(int device) {
  const auto found = failed_.find(device);
  if (found != failed_.end() || script_.empty()) return found == failed_.end() ? Outcome::ok : found->second;
  const std::int64_t xid = script_.number(place_of(device), "xid", progress_of(device)).value_or(0);
  if (xid == 0) return Outcome::ok;
  return failed_[device] = outcome_of_xid(xid);
}

ScriptProgress EmulatedMachine::progress_of(int device) const {
  constexpr std::int64_t ns_in_ms = 1'000'000;
  const auto operations = operations_.find(device);
  return {.milliseconds = (clock_->now_ns() - start_ns_) / ns_in_ms,
          .operations = operations == operations_.end() ? 0 : operations->second};
}

void EmulatedMachine::spend_on_work(const Caller& caller) {
  if (workers_.insert(caller.thread).second) {
    for (MachineObserver* observer : observers_) observer->acts(caller.thread);
  }
  last_work_ns_ = RealClock().now_ns();
  clock_->spend_call();
}

/// When a question is asked. A thread that has never given work, such as the watchdog of a process group, asks at times
/// of its own: if its calls took time, two equal runs would differ. For the same reason the clock stays where it is
/// when such a thread has waited long enough: the answer is that of a later time, and only that thread gets it. Else a
/// program that computes for seconds between two calls would find other answers than on a faster host.
std::int64_t EmulatedMachine::time_of_question(const Caller& caller, std::int64_t done_ns) {
  const bool gives_work = workers_.count(caller.thread) == 1;
  if (gives_work) spend_on_work(caller);
  const std::int64_t now_ns = clock_->now_ns();
  if (gives_work || options_.clock == ClockKind::real_time || !all_wait(options_.patience_ms)) return now_ns;
  told_ns_ = std::max(told_ns_, done_ns);
  return std::max(now_ns, done_ns);
}

void EmulatedMachine::tell_done(const Caller& caller, HostAnswer answer) {
  answer.thread = caller.thread;
  answer.gives_work = workers_.count(caller.thread) == 1;
  for (MachineObserver* observer : observers_) observer->answered_done(answer);
}

/// Whether no thread that gives work has called for so long.
bool EmulatedMachine::all_wait(std::int64_t patience_ms) const {
  constexpr std::int64_t ns_in_ms = 1'000'000;
  return RealClock().now_ns() - last_work_ns_ > patience_ms * ns_in_ms;
}

void EmulatedMachine::wait(Lock& lock, HostWait what, std::int64_t until_ns) {
  what.begin_ns = clock_->now_ns();
  for (MachineObserver* observer : observers_) observer->waits(what);
  lock.unlock();
  clock_->wait_until(until_ns);
  effects_.settle(std::max(until_ns, clock_->now_ns()));
  lock.lock();
  what.end_ns = clock_->now_ns();
  for (MachineObserver* observer : observers_) observer->waited(what);
}

void EmulatedMachine::tell_planned(const PlannedOperation& planned) {
  for (MachineObserver* observer : observers_) observer->planned(planned);
}

void EmulatedMachine::tell_allocated(const MemoryCall& call) {
  for (MachineObserver* observer : observers_) observer->allocated(call);
}

std::uint32_t EmulatedMachine::origin_of(const Caller& caller) {
  std::uint32_t origin = 0;
  for (MachineObserver* observer : observers_) origin = std::max(origin, observer->origin_of_call(caller.thread));
  return origin;
}

WorkPlace EmulatedMachine::place_of_work(const StreamState& stream) {
  const bool is_blocking = stream.handle != legacy_stream && !stream.flags.non_blocking;
  return {stream.device, stream.handle, stream.number, is_blocking};
}

Outcome EmulatedMachine::unsafe_call(const Caller& caller) { return captures_.unsafe_call(capture_caller(caller)); }

}  // namespace stepgate::emulator
