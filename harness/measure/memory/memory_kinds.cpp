#include "measure/memory/memory_kinds.h"

#include <algorithm>
#include <set>

namespace stepgate {
namespace {

bool gone_within_boundary(const TracedBlock& block) { return block.freed == block.made; }

bool gone_by_step_end(const TracedBlock& block) { return block.freed && block.freed->step == block.made.step; }

bool kept_by_forward(const TracedBlock& block) { return block.made.boundary == Boundary::forward && !block.freed; }

/// True if every step after the first left a block of its forward allocated until the end. The last step does not
/// count: a member that holds the latest output would release it in the next step, which did not run.
bool forward_leaks(const MemoryTrace& trace) {
  std::set<std::int64_t> leaving;
  for (const TracedBlock& block : trace.blocks()) {
    if (kept_by_forward(block)) leaving.insert(block.made.step);
  }
  const std::int64_t last = trace.spans().back().place.step;
  leaving.erase(0);
  leaving.erase(last);
  return last > 1 && static_cast<std::int64_t>(leaving.size()) == last - 1;
}

MemoryKind kind_of(const TracedBlock& block, bool leaks) {
  if (block.role == MemoryRole::parameter) return MemoryKind::parameters;
  if (block.role == MemoryRole::gradient) return MemoryKind::gradients;
  if (block.made.step < 0) return MemoryKind::setup;
  if (gone_within_boundary(block)) return MemoryKind::temporaries;
  const auto boundary = block.made.boundary;
  if (boundary == Boundary::data_wait || boundary == Boundary::h2d) return MemoryKind::inputs;
  if (boundary == Boundary::forward) {
    const bool made_once = kept_by_forward(block) && block.made.step == 0 && !leaks;
    return made_once ? MemoryKind::workspace : MemoryKind::activations;
  }
  if (gone_by_step_end(block)) return MemoryKind::temporaries;
  return boundary == Boundary::optimizer ? MemoryKind::optimizer_state : MemoryKind::workspace;
}

}  // namespace

std::vector<MemoryKind> kinds_of(const MemoryTrace& trace) {
  const bool leaks = forward_leaks(trace);
  std::vector<MemoryKind> kinds;
  kinds.reserve(trace.blocks().size());
  for (const TracedBlock& block : trace.blocks()) kinds.push_back(kind_of(block, leaks));
  return kinds;
}

}  // namespace stepgate
