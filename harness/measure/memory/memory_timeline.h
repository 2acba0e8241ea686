// The changes of live memory in the step with the peak, one by one, for a trace viewer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/run_record.h"
#include "measure/memory/memory_ledger.h"

namespace stepgate {

/// A transformer of 12 layers makes about 2,000 changes per step; 5,000 take about 100 KB of a run record.
inline constexpr std::size_t max_timeline_events = 5000;

struct MemoryTimeline {
  std::int64_t base_bytes = 0;  ///< live when the step began
  std::vector<MemoryEvent> events;
};

/// The step of peak_of(trace), from its first boundary to the release of batch and loss; `kinds` are kinds_of(trace).
/// If there are more than `most` changes, the largest are kept, and those between two kept ones are summed by kind and
/// boundary, frees first. No sum crosses the peak, so the live bytes at the peak, at each kept change and at the step's
/// end stay exact, and nothing exceeds the peak.
MemoryTimeline timeline_of(const MemoryTrace& trace, const std::vector<MemoryKind>& kinds,
                           const StepBoundaries& boundaries = {}, std::size_t most = max_timeline_events);

}  // namespace stepgate
