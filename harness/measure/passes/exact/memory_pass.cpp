#include <algorithm>
#include <string>

#include "measure/memory/host_peak.h"
#include "measure/memory/memory_kinds.h"
#include "measure/memory/memory_ledger.h"
#include "measure/memory/memory_timeline.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/passes/exact/log_marks.h"
#include "measure/passes/exact/step_end_counters.h"
#include "measure/step/boundary_action.h"
#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

/// The allocator's own statistics at the end of each boundary. Each boundary starts with a reset, so that each has its
/// own peak; what was resident then is part of it.
struct StepMemory {
  std::array<MemoryStats, boundary_slots> at_end = {};
  MemoryStats released;  ///< once batch and loss are released

  std::int64_t peak_bytes() const {
    std::int64_t peak = 0;
    for (const MemoryStats& stats : at_end) peak = std::max(peak, stats.peak_allocated_bytes);
    return peak;
  }
};

/// Follows every block while it lives.
class Tracing {
 public:
  explicit Tracing(Backend& backend) : backend_(backend), on_(backend.trace_memory(&trace_)) {}
  ~Tracing() { stop(); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

  bool stop() {
    if (on_ && !stopped_) backend_.trace_memory(nullptr);
    stopped_ = true;
    return on_;
  }
  MemoryTrace& trace() { return trace_; }

 private:
  Backend& backend_;
  MemoryTrace trace_;
  bool on_;
  bool stopped_ = false;
};

void mark_memory(StepActions& actions, MemoryTrace& trace) {
  if (const StepWatch* const watch = actions.abilities().watch) watch->mark_memory(trace);
}

/// What watches the steps.
struct Watch {
  Backend& backend;
  MemoryTrace& trace;
  HeldResources* held;  ///< nullptr: not followed
};

StepMemory run_watched_step(StepActions& actions, const Watch& watch, std::int64_t step) {
  auto& [backend, trace, held] = watch;
  StepMemory result;
  const auto before = [&](Boundary boundary) {
    trace.enter({step, boundary});
    backend.reset_peak();
  };
  const auto after = [&](Boundary boundary) {
    result.at_end[static_cast<std::size_t>(boundary)] = backend.memory();
    trace.correct({step, boundary});
    if (boundary == Boundary::backward || is_own(boundary)) mark_memory(actions, trace);
    if (held != nullptr) held->end_boundary(boundary);
  };
  run_boundaries(actions, step, before, after);
  trace.enter({step, std::nullopt});
  actions.release();
  // A block that another stream used is freed only when that stream has finished with it.
  backend.synchronize_after_step();
  result.released = backend.memory();
  return result;
}

void raise(BoundaryMemory& memory, const MemoryStats& stats) {
  memory.peak_allocated_bytes = std::max(memory.peak_allocated_bytes, stats.peak_allocated_bytes);
  memory.allocated_bytes = std::max(memory.allocated_bytes, stats.allocated_bytes);
  memory.requested_bytes = std::max(memory.requested_bytes, stats.requested_live_bytes);
  memory.active_bytes = std::max(memory.active_bytes, stats.active_bytes);
  memory.reserved_bytes = std::max(memory.reserved_bytes, stats.reserved_bytes);
}

void add_step(const StepMemory& step, const StepBoundaries& boundaries, MemoryProfile& profile) {
  profile.series["resident_bytes"].push_back(step.released.allocated_bytes);
  profile.peak_bytes.push_back(step.peak_bytes());
  if (step.released.reserved_bytes) profile.series["reserved_bytes"].push_back(*step.released.reserved_bytes);
  for (const Boundary boundary : boundaries.order()) {
    const MemoryStats& stats = step.at_end[static_cast<std::size_t>(boundary)];
    const std::string name(boundaries.name(boundary));
    raise(profile.by_boundary[name], stats);
    profile.peak_by_boundary[name] = profile.by_boundary[name].peak_allocated_bytes;
  }
}

/// Peaks over all steps, the warm-up included.
struct WholePeaks {
  std::int64_t allocated = 0;
  std::optional<std::int64_t> requested;
  std::optional<std::int64_t> reserved;

  void raise(const StepMemory& step) {
    for (const MemoryStats& stats : step.at_end) {
      allocated = std::max(allocated, stats.peak_allocated_bytes);
      requested = std::max(requested, stats.peak_requested_bytes);
      reserved = std::max(reserved, stats.peak_reserved_bytes);
    }
  }
};

/// The trace has requested bytes; what the allocator hands out beyond them is the difference of its own two peaks.
void add_ledger(const MemoryTrace& trace, const StepBoundaries& boundaries, const WholePeaks& peaks,
                MemoryProfile& profile) {
  const std::vector<MemoryKind> kinds = kinds_of(trace);
  MemoryLedger ledger = ledger_of(trace, kinds, boundaries);
  ledger.peak_bytes = peaks.allocated;
  const std::int64_t rounding = peaks.allocated - peaks.requested.value_or(peaks.allocated);
  if (rounding > 0) {
    ledger.bytes[std::string(name_of(MemoryKind::rounding))] = rounding;
    if (ledger.fragmentation_bytes) *ledger.fragmentation_bytes -= rounding;
  }
  profile.ledger = ledger;
  MemoryTimeline timeline = timeline_of(trace, kinds, boundaries);
  profile.timeline_base_bytes = timeline.base_bytes;
  profile.timeline = std::move(timeline.events);
}

}  // namespace

MemoryProfile run_memory(StepActions& actions, Backend& backend, const StepCounts& steps, HeldResources* held) {
  require_positive({"memory", steps.memory});
  require_not_negative({"exact_warmup", steps.exact_warmup});
  MemoryProfile profile;
  WholePeaks peaks;
  Tracing tracing(backend);
  mark_memory(actions, tracing.trace());
  StepEndCounters counters(backend);
  const Watch watch{backend, tracing.trace(), held};
  for (std::int64_t step = 0; step < steps.exact_warmup + steps.memory; ++step) {
    if (held != nullptr && step == steps.exact_warmup) held->begin(steps.memory, profile);
    mark_step(backend, {log_marks::memory, step - steps.exact_warmup, StepEnd::begin});
    counters.begin_step();
    const StepMemory memory = run_watched_step(actions, watch, step);
    peaks.raise(memory);
    if (step < steps.exact_warmup) continue;
    counters.end_step(profile);
    mark_step(backend, {log_marks::memory, step - steps.exact_warmup, StepEnd::end});
    if (held != nullptr) held->end_step(profile);
    add_step(memory, actions.boundaries(), profile);
  }
  if (held != nullptr) held->finish(actions.boundaries(), profile);
  profile.series["peak_allocated_bytes"] = {peaks.allocated};
  if (peaks.reserved) profile.series["peak_reserved_bytes"] = {*peaks.reserved};
  if (const auto host_peak = host_peak_bytes()) profile.series["host_peak_bytes"] = {*host_peak};
  if (tracing.stop()) add_ledger(tracing.trace(), actions.boundaries(), peaks, profile);
  return profile;
}

}  // namespace stepgate
