// What was live when allocated memory peaked, by kind. The kinds add up to the peak of the trace, so a difference from
// the allocator's own figure means that blocks were missed.
#pragma once

#include <cstddef>
#include <vector>

#include "core/record/memory_kind.h"
#include "core/record/run_record.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {

/// The first moment inside a boundary at which the most bytes were live.
struct MemoryPeak {
  std::size_t changes = 0;  ///< the number of changes of the trace before that moment
  MemoryPlace place;
  std::int64_t live_bytes = 0;
  std::int64_t reserved_bytes = 0;
};

/// Throws Error(measure) if the trace entered no boundary.
MemoryPeak peak_of(const MemoryTrace& trace);

/// The ledger of `trace`; `kinds` are kinds_of(trace). Kinds without a byte are omitted. `peak_bytes` is the ledger's
/// own sum; the memory pass replaces it with the allocator's figure. `fragmentation_bytes` (reserved but not requested
/// at that moment) is present if the allocator reserves memory.
MemoryLedger ledger_of(const MemoryTrace& trace, const std::vector<MemoryKind>& kinds,
                       const StepBoundaries& boundaries = {});

/// The boundary's name, e.g. "forward"; "release" after the last boundary of a step.
std::string place_name(const MemoryPlace& place, const StepBoundaries& boundaries);

}  // namespace stepgate
