#include "emulator/hazards/hazard_finder.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "emulator/machine/work_names.h"

namespace stepgate::emulator {
namespace {

using FinderLock = std::lock_guard<std::mutex>;

/// Own choice: a training step of the largest case keeps some thousand stretches.
constexpr std::size_t first_sweep = 1 << 16;
/// Of some 200 bytes each.
constexpr std::size_t most_stretches = 1 << 22;

/// The newest access of a timeline: what is ordered after it is ordered after those before it.
struct Unordered {
  AccessPointer earlier;
  AccessRecord later;
  MemoryAccess access;
};

AccessRecord record_in(const WorkPlace& place, std::uint32_t origin) {
  AccessRecord record;
  record.place = place;
  record.origin = origin;
  return record;
}

WorkPlace place_of(const PlannedOperation& planned) {
  return {planned.device, planned.stream, planned.stream_number, planned.is_blocking};
}

}  // namespace

HazardFinder::HazardFinder(const std::string& path) : sweep_at_(first_sweep) {
  if (!path.empty()) file_.open(path, std::ios::app);
}

void HazardFinder::begin_operator(std::uint64_t thread, OperatorCall call) {
  const FinderLock lock(mutex_);
  origins_.begin_operator(thread, std::move(call));
}

std::vector<KernelStream> HazardFinder::streams_of_operator(std::uint64_t thread) const {
  const FinderLock lock(mutex_);
  return origins_.streams_of_operator(thread);
}

void HazardFinder::end_operator(std::uint64_t thread) {
  const FinderLock lock(mutex_);
  origins_.end_operator(thread);
}

void HazardFinder::hand_out(const void* address, std::uint64_t bytes) {
  const FinderLock lock(mutex_);
  blocks_.hand_out(address, bytes);
}

void HazardFinder::set_own_waits(std::uint64_t thread, bool are_own) {
  const FinderLock lock(mutex_);
  if (are_own) {
    own_waits_.insert(thread);
  } else {
    own_waits_.erase(thread);
  }
}

void HazardFinder::submitted(const SubmittedWork& work) {
  const FinderLock lock(mutex_);
  if (work.operation.kind != OperationKind::kernel) return;
  ++totals_.kernels;
  if (!origins_.add_kernel(work.thread, {work.device, work.stream})) ++totals_.unknown_kernels;
}

void HazardFinder::planned(const PlannedOperation& planned) {
  const FinderLock lock(mutex_);
  if (planned.graph != 0) return;  // known since the graph began
  const WorkPlace place = place_of(planned);
  if (planned.operation.kind == OperationKind::event_record) {
    order_.record_event(place, planned.operation.event);
  } else if (planned.operation.kind == OperationKind::event_wait) {
    order_.wait_event(place, planned.operation.event);
  } else {
    take_operation(planned.operation, record_in(place, planned.operation.origin), order_.work_in(place));
  }
}

void HazardFinder::take_operation(const Operation& operation, AccessRecord record, const OrderPoint& point) {
  if (operation.accesses.empty()) return;
  if (operation.kind == OperationKind::copy) {
    record.maker = AccessMaker::copy;
    record.work = "copy " + std::string(name_of_copy(operation.direction, operation.pageable));
  } else if (operation.kind == OperationKind::memset) {
    record.maker = AccessMaker::memset;
  } else if (operation.kind == OperationKind::collective) {
    record.maker = AccessMaker::collective;
    record.work = std::string(operation.name);
  }
  take(operation.accesses, std::move(record), point);
}

void HazardFinder::accessed(const AccessedMemory& memory) {
  const FinderLock lock(mutex_);
  take(memory.accesses, record_in(memory.place, memory.origin), order_.work_in(memory.place));
}

void HazardFinder::accessed_by_host(const MemoryAccesses& accesses, std::uint32_t origin) {
  const FinderLock lock(mutex_);
  ++totals_.host_accesses;
  AccessRecord record = record_in({}, origin);
  record.maker = AccessMaker::host;
  take(accesses, std::move(record), order_.host_now());
}

void HazardFinder::waits(const HostWait& wait) {
  const FinderLock lock(mutex_);
  switch (wait.kind) {
    case WaitKind::stream:
    case WaitKind::copy:
      return order_.thread_hears_of_stream(wait.thread, wait.device, wait.work_stream);
    case WaitKind::event:
      return order_.thread_hears_of_event(wait.thread, wait.event);
    case WaitKind::device:
      if (own_waits_.count(wait.thread) == 0) order_.thread_hears_of_device(wait.thread, wait.device);
      return;
    case WaitKind::free:
      return order_.thread_hears_of_device(wait.thread, wait.device);
  }
}

void HazardFinder::waited(const HostWait& wait) {
  const FinderLock lock(mutex_);
  order_.thread_acts(wait.thread);
}

void HazardFinder::answered_done(const HostAnswer& answer) {
  const FinderLock lock(mutex_);
  if (answer.event != 0) {
    order_.thread_hears_of_event(answer.thread, answer.event);
  } else {
    order_.thread_hears_of_stream(answer.thread, answer.device, answer.stream);
  }
  if (answer.gives_work) order_.thread_acts(answer.thread);
}

void HazardFinder::acts(std::uint64_t thread) {
  const FinderLock lock(mutex_);
  order_.thread_acts(thread);
}

void HazardFinder::allocated(const MemoryCall& call) {
  const FinderLock lock(mutex_);
  if (call.address == nullptr) return;
  if (call.kind == MemoryKind::pooled && call.place.stream != 0) return take_pooled(call);
  if (call.kind == MemoryKind::pinned || call.kind == MemoryKind::registered) note_host_memory(call);
  shadow_.forget(stretch_of(call.address, call.bytes));
}

void HazardFinder::note_host_memory(const MemoryCall& call) {
  const AddressStretch stretch = stretch_of(call.address, call.bytes);
  if (call.is_free) {
    host_memory_.erase(stretch.begin);
  } else {
    host_memory_[stretch.begin] = stretch.end;
  }
}

bool HazardFinder::is_host_memory(const void* address) const {
  const std::uintptr_t at = stretch_of(address, 0).begin;
  const auto next = host_memory_.upper_bound(at);
  return next != host_memory_.begin() && at < std::prev(next)->second;
}

/// Memory of a pool comes and goes in the order of a stream. Whoever gets it again begins after it was freed: all
/// policies of a pool for using memory again keep that order.
void HazardFinder::take_pooled(const MemoryCall& call) {
  const AddressStretch stretch = stretch_of(call.address, call.bytes);
  if (call.is_free) {
    AccessRecord record = record_in(call.place, call.origin);
    record.maker = AccessMaker::release;
    take({MemoryAccess{call.address, call.bytes, true}}, std::move(record), order_.work_in(call.place));
    freed_[stretch.begin] = {stretch.end, order_.end_of(call.place)};
    return;
  }
  auto freed = freed_.lower_bound(stretch.begin);
  if (freed != freed_.begin() && std::prev(freed)->second.end > stretch.begin) --freed;
  while (freed != freed_.end() && freed->first < stretch.end) {
    order_.begin_after(call.place, freed->second.before);
    freed = freed_.erase(freed);
  }
  shadow_.forget(stretch);
}

void HazardFinder::began_graph(const GraphStart& start) {
  const FinderLock lock(mutex_);
  order_.launch_graph(start, [&](const GraphNode& node, const OrderPoint& point) {
    AccessRecord record = record_in(start.place, node.operation.origin);
    record.is_in_graph = true;
    take_operation(node.operation, std::move(record), point);
  });
}

void HazardFinder::dropped_event(EventHandle event) {
  const FinderLock lock(mutex_);
  order_.forget_event(event);
}

void HazardFinder::dropped_executable(GraphHandle executable) {
  const FinderLock lock(mutex_);
  order_.forget_executable(executable);
}

std::uint32_t HazardFinder::origin_of_call(std::uint64_t thread) {
  const FinderLock lock(mutex_);
  return origins_.number_of(thread);
}

void HazardFinder::take(const MemoryAccesses& accesses, AccessRecord record, const OrderPoint& point) {
  record.number = ++totals_.accesses;
  look_for_hazards(accesses, record, point);
  record.moment = point.moment;
  for (const MemoryAccess& access : accesses) {
    record.writes = access.writes;
    record.has_gaps = access.has_gaps;
    record.block = blocks_.number_at(access.begin);
    shadow_.add(stretch_of(access.begin, access.bytes), std::make_shared<const AccessRecord>(record));
  }
  bound_room();
}

void HazardFinder::look_for_hazards(const MemoryAccesses& accesses, const AccessRecord& record,
                                    const OrderPoint& point) {
  std::map<TimelineNumber, Unordered> newest;
  for (const MemoryAccess& access : accesses) {
    AccessRecord later = record;
    later.moment = point.moment;
    later.writes = access.writes;
    later.has_gaps = access.has_gaps;
    later.block = blocks_.number_at(access.begin);
    for (const AccessPointer& earlier : shadow_.met_by(stretch_of(access.begin, access.bytes), later)) {
      if (point.comes_after(earlier->moment)) continue;
      Unordered& unordered = newest[earlier->moment.timeline];
      if (unordered.earlier == nullptr || unordered.earlier->number < earlier->number) {
        unordered = {earlier, later, access};
      }
    }
  }
  for (const auto& [timeline, unordered] : newest) {
    const AccessRecord& earlier = *unordered.earlier;
    order_.assume_order(earlier.moment, point.moment.timeline);
    found({earlier, unordered.later, unordered.access.bytes, is_host_memory(unordered.access.begin)});
  }
}

void HazardFinder::found(Hazard hazard) {
  const PairKey key{hazard.earlier.origin, hazard.earlier.maker, hazard.earlier.writes,
                    hazard.later.origin,   hazard.later.maker,   hazard.later.writes};
  if (!pairs_.insert(key).second) {
    ++totals_.repeated;
    return;
  }
  ++totals_.hazards;
  if (hazards_.size() == most_hazards) return;
  if (file_.is_open()) write_line(json_of(hazard, origins_));
  hazards_.push_back(std::move(hazard));
}

/// What the host has waited for can meet nothing later.
void HazardFinder::bound_room() {
  if (shadow_.size() < sweep_at_) return;
  shadow_.forget_before(order_.host_now().before);
  if (shadow_.size() > most_stretches) {
    totals_.forgotten += shadow_.size();
    shadow_ = {};
  }
  sweep_at_ = std::max(first_sweep, 2 * shadow_.size());
}

std::vector<Hazard> HazardFinder::hazards() const {
  const FinderLock lock(mutex_);
  return hazards_;
}

HazardTotals HazardFinder::totals() const {
  const FinderLock lock(mutex_);
  return totals_;
}

void HazardFinder::close() {
  const FinderLock lock(mutex_);
  if (file_.is_open()) write_line(json_of(totals_));
  file_.close();
}

/// The stream hands a long text to the system at once: with its end, so that lines of other ranks stay whole. At once,
/// because a process may end without closing its files.
void HazardFinder::write_line(const std::string& line) { file_ << line + '\n' << std::flush; }

}  // namespace stepgate::emulator
