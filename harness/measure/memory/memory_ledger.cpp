#include "measure/memory/memory_ledger.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace stepgate {
namespace {

using What = MemoryChange::What;

/// Walks along a trace and keeps the sums of what is live.
class Walk {
 public:
  explicit Walk(const MemoryTrace& trace) : trace_(trace) {}

  void visit(std::size_t span) {
    const MemoryPlace& place = trace_.spans()[span].place;
    consider(trace_.spans()[span].first_change, place);
    const std::size_t end =
        span + 1 < trace_.spans().size() ? trace_.spans()[span + 1].first_change : trace_.changes().size();
    for (std::size_t i = trace_.spans()[span].first_change; i < end; ++i) {
      const MemoryChange& change = trace_.changes()[i];
      (change.what == What::reserved ? reserved_bytes_ : live_bytes_) += change.bytes;
      if (change.what == What::allocated) consider(i + 1, place);
    }
  }

  const std::optional<MemoryPeak>& peak() const { return peak_; }

 private:
  void consider(std::size_t changes, const MemoryPlace& place) {
    if (!place.boundary || (peak_ && peak_->live_bytes >= live_bytes_)) return;
    peak_ = MemoryPeak{changes, place, live_bytes_, reserved_bytes_};
  }

  const MemoryTrace& trace_;
  std::int64_t live_bytes_ = 0;
  std::int64_t reserved_bytes_ = 0;
  std::optional<MemoryPeak> peak_;
};

}  // namespace

MemoryPeak peak_of(const MemoryTrace& trace) {
  Walk walk(trace);
  for (std::size_t span = 0; span < trace.spans().size(); ++span) walk.visit(span);
  if (walk.peak()) return *walk.peak();
  throw Error(ErrorKind::measure, "a memory trace without a boundary has no peak", "run at least one step");
}

std::string place_name(const MemoryPlace& place, const StepBoundaries& boundaries) {
  return place.boundary ? std::string(boundaries.name(*place.boundary)) : "release";
}

MemoryLedger ledger_of(const MemoryTrace& trace, const std::vector<MemoryKind>& kinds,
                       const StepBoundaries& boundaries) {
  const MemoryPeak peak = peak_of(trace);
  MemoryLedger ledger;
  ledger.peak_bytes = peak.live_bytes;
  ledger.step = peak.place.step;
  ledger.boundary = place_name(peak.place, boundaries);
  for (std::size_t i = 0; i < peak.changes; ++i) {
    const MemoryChange& change = trace.changes()[i];
    if (change.what != What::reserved) ledger.bytes[std::string(name_of(kinds[change.block]))] += change.bytes;
  }
  std::erase_if(ledger.bytes, [](const auto& entry) { return entry.second == 0; });
  const bool reserves = std::any_of(trace.changes().begin(), trace.changes().end(),
                                    [](const MemoryChange& change) { return change.what == What::reserved; });
  if (reserves) ledger.fragmentation_bytes = peak.reserved_bytes - peak.live_bytes;
  return ledger;
}

}  // namespace stepgate
