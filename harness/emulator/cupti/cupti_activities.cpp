#include "emulator/cupti/cupti_activities.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "emulator/cupti/cupti_external_ids.h"
#include "emulator/cupti/cupti_thread_stack.h"
#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"

namespace stepgate::emulator {
namespace {

constexpr std::array recorded_kinds = {
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_DRIVER,
    CUPTI_ACTIVITY_KIND_RUNTIME,
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_OVERHEAD,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_CUDA_EVENT,
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
};
static_assert(CUPTI_ACTIVITY_KIND_COUNT <= 64, "a bit for each kind");

bool is_kind(CUpti_ActivityKind kind) { return kind > CUPTI_ACTIVITY_KIND_INVALID && kind < CUPTI_ACTIVITY_KIND_COUNT; }

bool is_recorded(CUpti_ActivityKind kind) {
  return std::find(recorded_kinds.begin(), recorded_kinds.end(), kind) != recorded_kinds.end();
}

std::uint64_t bit_of(CUpti_ActivityKind kind) { return std::uint64_t{1} << kind; }

/// CUPTI's own clock on Linux.
std::uint64_t wall_ticks() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
}

std::int64_t machine_now_ns() { return process_machine().clock().now_ns(); }

struct OpenCall {
  std::uint32_t correlation = 0;
  std::int64_t begin_ns = 0;
  bool async = false;
};

/// The calls that the thread is in, outermost first: those only that were entered while records were made.
constinit thread_local ThreadStack<OpenCall, 32> open_calls;

/// What the thread does is part of a call whose name says that it does not wait.
bool in_async_call() { return !open_calls.empty() && open_calls.top().async; }

StreamHandle one_default(StreamHandle stream) { return stream == legacy_stream ? default_stream : stream; }

}  // namespace

CuptiActivities& cupti_activities() {
  // Never destroyed: LibTorch calls the runtime from destructors of its own.
  static auto& activities = *new CuptiActivities;
  return activities;
}

CUptiResult CuptiActivities::enable(CUpti_ActivityKind kind) {
  if (!is_kind(kind)) return CUPTI_ERROR_INVALID_KIND;
  if (!is_recorded(kind)) refuse("cuptiActivityEnable", "activities of kind " + std::to_string(kind));
  const Lock lock(mutex_);
  map();  // so that no record is older than the map
  if (kind == CUPTI_ACTIVITY_KIND_RUNTIME) runtime_calls_.set_all(true);
  if (kind == CUPTI_ACTIVITY_KIND_DRIVER) driver_calls_.set_all(true);
  kinds_ |= bit_of(kind);
  note_recording();
  return CUPTI_SUCCESS;
}

CUptiResult CuptiActivities::disable(CUpti_ActivityKind kind) {
  if (!is_kind(kind)) return CUPTI_ERROR_INVALID_KIND;
  const Lock lock(mutex_);
  if (kind == CUPTI_ACTIVITY_KIND_RUNTIME) runtime_calls_.set_all(false);
  if (kind == CUPTI_ACTIVITY_KIND_DRIVER) driver_calls_.set_all(false);
  kinds_ &= ~bit_of(kind);
  note_recording();
  return CUPTI_SUCCESS;
}

void CuptiActivities::enable_call(ApiDomain domain, CUpti_CallbackId id, bool on) {
  const Lock lock(mutex_);
  map();
  (domain == ApiDomain::runtime ? runtime_calls_ : driver_calls_).set_one(id, on);
  note_recording();
}

void CuptiActivities::note_recording() {
  is_recording_ = kinds_ != 0 || !runtime_calls_.lets_nothing_through() || !driver_calls_.lets_nothing_through();
}

void CuptiActivities::forget() {
  {
    const Lock lock(mutex_);
    kinds_ = 0;
    runtime_calls_.set_all(false);
    driver_calls_.set_all(false);
    note_recording();
    ticks_ = nullptr;
    map_.reset();
  }
  records_.flush(machine_now_ns(), false);
  records_.set_callbacks({});
}

// ---- time

void CuptiActivities::set_clock(CUpti_TimestampCallbackFunc ticks) {
  const Lock lock(mutex_);
  ticks_ = ticks;
  map_.reset();
  map();
}

TickMap& CuptiActivities::map() {
  if (map_) return *map_;
  if (ticks_ == nullptr) {
    map_.emplace(read_clocks(wall_ticks, machine_now_ns()), 1.0);
  } else {
    map_.emplace(measured_map(ticks_, machine_now_ns));
  }
  return *map_;
}

std::uint64_t CuptiActivities::now_ticks() {
  const Lock lock(mutex_);
  return map().ticks_of(machine_now_ns());
}

RecordTimes CuptiActivities::times_of(std::int64_t begin_ns, std::int64_t end_ns) {
  return {map().ticks_of(begin_ns), map().ticks_of(end_ns)};
}

// ---- calls

bool CuptiActivities::records_call(const ApiCall& call) const {
  return (call.domain == ApiDomain::runtime ? runtime_calls_ : driver_calls_).lets_through(call.id);
}

void CuptiActivities::entered(const ApiCall& call) {
  if (!is_recording_) return;
  const std::int64_t now_ns = machine_now_ns();
  const bool async = std::string_view(call.name).find("Async") != std::string_view::npos;
  if (!open_calls.push({call.correlation, now_ns, async})) refuse(call.name, "records of calls nested so deep");
  const Lock lock(mutex_);
  // A reader with a clock of its own compares records with what it reads there. Who only has cuptiGetTimestamp() does
  // not, and gets the machine's time without gaps.
  if (ticks_ != nullptr) map().move_forward(read_clocks(ticks_, now_ns));
  // Before the records of the work that the call gives: Kineto looks the region up when it comes to those.
  if (!records_call(call) || !records_kind(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) return;
  external_ids_of_thread().for_each_top(
      [&](int kind, std::uint64_t id) { add(external_record(kind, id, call.correlation), now_ns); });
}

void CuptiActivities::left(const ApiCall& call) {
  if (open_calls.empty() || open_calls.top().correlation != call.correlation) return;
  const OpenCall open = open_calls.top();
  open_calls.pop();
  const std::int64_t now_ns = machine_now_ns();
  {
    const Lock lock(mutex_);
    if (records_call(call)) add(call_record(call, times_of(open.begin_ns, now_ns)), now_ns);
  }
  records_.deliver_if_many(now_ns);
}

// ---- work

const char* CuptiActivities::kept_name(std::string_view name) {
  auto found = names_.find(name);
  if (found == names_.end()) found = names_.emplace(name).first;
  return found->c_str();
}

void CuptiActivities::planned(const PlannedOperation& planned) {
  const Lock lock(mutex_);
  // Also without a reader: who begins to record later waits for streams and events that are known by then.
  streams_[{planned.device, one_default(planned.stream)}] = stream_number_of(planned.stream_number);
  if (planned.operation.kind == OperationKind::event_record) recordings_.add(planned.operation.event);
  if (is_recording_) plan_record(planned);
}

void CuptiActivities::dropped_event(EventHandle event) {
  const Lock lock(mutex_);
  recordings_.forget(event);
}

void CuptiActivities::plan_record(const PlannedOperation& planned) {
  const RecordTimes times = times_of(planned.begin_ns, planned.end_ns);
  const std::int64_t end_ns = planned.end_ns;
  switch (planned.operation.kind) {
    case OperationKind::kernel:
    case OperationKind::collective:
      if (!records_kind(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) return;
      return add(kernel_record(planned, times, kept_name(planned.operation.name)), end_ns);
    case OperationKind::copy:
      if (planned.operation.direction == CopyDirection::peer) {
        if (!records_kind(CUPTI_ACTIVITY_KIND_MEMCPY2)) return;
        return add(peer_copy_record(planned, times, in_async_call()), end_ns);
      }
      if (!records_kind(CUPTI_ACTIVITY_KIND_MEMCPY)) return;
      return add(copy_record(planned, times, in_async_call()), end_ns);
    case OperationKind::memset:
      if (!records_kind(CUPTI_ACTIVITY_KIND_MEMSET)) return;
      return add(memset_record(planned, times, in_async_call()), end_ns);
    case OperationKind::event_record:
      return note_event(planned);
    case OperationKind::event_wait:
      if (!records_kind(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) return;
      return add(event_wait_record(planned, times, recordings_.number_of(planned.operation.event)), end_ns);
    case OperationKind::host_function:  // CUPTI has no record of these
    case OperationKind::empty:
    case OperationKind::child_graph:
    case OperationKind::effect_only:
      return;
  }
}

void CuptiActivities::note_event(const PlannedOperation& planned) {
  if (!records_kind(CUPTI_ACTIVITY_KIND_CUDA_EVENT)) return;
  const std::uint64_t time = has_event_times_ ? map().ticks_of(planned.end_ns) : CUPTI_TIMESTAMP_UNKNOWN;
  add(event_record(planned, time, recordings_.number_of(planned.operation.event)), planned.end_ns);
}

// ---- waits

std::uint32_t CuptiActivities::stream_of(const HostWait& wait) const {
  const auto found = streams_.find({wait.device, one_default(wait.stream)});
  return found == streams_.end() ? CUPTI_SYNCHRONIZATION_INVALID_VALUE : found->second;
}

void CuptiActivities::waited(const HostWait& wait) {
  if (!is_recording_ || !records_kind(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) return;
  if (type_of_wait(wait.kind) == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN) return;
  const Lock lock(mutex_);
  const RecordTimes times = times_of(wait.begin_ns, wait.end_ns);
  add(host_wait_record(wait, times, stream_of(wait), recordings_.number_of(wait.event)), wait.end_ns);
}

namespace {

[[maybe_unused]] const bool registered = register_observer(cupti_activities());

}  // namespace

}  // namespace stepgate::emulator
