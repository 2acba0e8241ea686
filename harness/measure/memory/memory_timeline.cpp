#include "measure/memory/memory_timeline.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace stepgate {
namespace {

using What = MemoryChange::What;

/// A step's events before any are merged; the first `peak` of them happened before memory peaked.
struct StepEvents {
  std::vector<MemoryEvent> all;
  std::size_t peak = 0;
};

/// Sums the events between two kept ones.
class Merger {
 public:
  void add(const MemoryEvent& event) { sums_[{event.boundary, event.kind}] += event.bytes; }

  void flush(std::vector<MemoryEvent>& into) {
    std::vector<MemoryEvent> merged;
    for (const auto& [key, bytes] : sums_) {
      if (bytes != 0) merged.push_back({bytes, key.second, key.first});
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const MemoryEvent& a, const MemoryEvent& b) { return a.bytes < b.bytes; });
    into.insert(into.end(), merged.begin(), merged.end());
    sums_.clear();
  }

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> sums_;  ///< by boundary and kind
};

/// The smallest size among the `kept` largest events; above all sizes if none is kept.
std::int64_t threshold_of(const std::vector<MemoryEvent>& events, std::size_t kept) {
  std::vector<std::int64_t> sizes;
  for (const MemoryEvent& event : events) sizes.push_back(std::abs(event.bytes));
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return kept == 0 ? sizes.front() + 1 : sizes[std::min(kept, sizes.size()) - 1];
}

std::vector<MemoryEvent> merged(const StepEvents& step, std::size_t kept) {
  const std::int64_t threshold = threshold_of(step.all, kept);
  std::vector<MemoryEvent> result;
  Merger merger;
  for (std::size_t i = 0; i < step.all.size(); ++i) {
    const MemoryEvent& event = step.all[i];
    if (i == step.peak || (i > 0 && event.boundary != step.all[i - 1].boundary)) merger.flush(result);
    if (std::abs(event.bytes) < threshold) {
      merger.add(event);
      continue;
    }
    merger.flush(result);
    result.push_back(event);
  }
  merger.flush(result);
  return result;
}

}  // namespace

MemoryTimeline timeline_of(const MemoryTrace& trace, const std::vector<MemoryKind>& kinds,
                           const StepBoundaries& boundaries, std::size_t most) {
  const MemoryPeak peak = peak_of(trace);
  MemoryTimeline timeline;
  StepEvents step;
  std::size_t span = 0;
  for (std::size_t i = 0; i < trace.changes().size(); ++i) {
    while (span + 1 < trace.spans().size() && trace.spans()[span + 1].first_change <= i) ++span;
    const MemoryPlace& place = trace.spans()[span].place;
    const MemoryChange& change = trace.changes()[i];
    if (change.what == What::reserved || place.step > peak.place.step) continue;
    if (place.step < peak.place.step) {
      timeline.base_bytes += change.bytes;
    } else {
      step.all.push_back({change.bytes, std::string(name_of(kinds[change.block])), place_name(place, boundaries)});
      if (i < peak.changes) step.peak = step.all.size();
    }
  }
  timeline.events = step.all;
  // There is up to one sum per kind between two kept events, so a search finds how many events may be kept.
  for (std::size_t kept = most; timeline.events.size() > most; kept /= 2) {
    timeline.events = merged(step, kept);
    if (kept == 0) break;
  }
  return timeline;
}

}  // namespace stepgate
