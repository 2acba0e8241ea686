// A loader made slower: when each batch would be ready if it took a given time longer.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "measure/device/backend.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// What draining a loader tells.
struct LoaderFacts {
  std::int64_t period_ns = 0;  ///< time per batch where the step takes none
  std::int64_t depth = 0;      ///< batches that it keeps ready; 0: it loads on the calling thread
  /// Batches come so fast that a queue does not show: depth says nothing.
  bool unclear = false;
};

/// Draws batches without computing: until the queue is empty, then to take the period, then after a pause in which a
/// loader with workers fills its queue again. `pause` lets time pass. Always draws the same number of batches.
LoaderFacts probe_loader(StepActions& actions, Backend& backend, const std::function<void(std::int64_t ns)>& pause);

/// Draws `facts.depth` batches, so that no block begins with batches that were made during another.
void empty_queue(StepActions& actions, const LoaderFacts& facts);

/// Batch k of the slower loader is begun when batch k-1 is ready and batch k-depth was taken, and is ready
/// `period + delay` later. The real loader is faster, so that it is enough to wait for that moment. Without a queue
/// each batch simply comes `delay` later.
class LoaderPace {
 public:
  LoaderPace(const LoaderFacts& facts, std::int64_t delay_ns) : facts_(facts), delay_ns_(delay_ns) {}

  /// `asked_ns`: when the step asked; `loaded_ns`: when the real loader had handed over. Returns when this one would
  /// have.
  std::int64_t ready_ns(std::int64_t asked_ns, std::int64_t loaded_ns);

 private:
  LoaderFacts facts_;
  std::int64_t delay_ns_;
  std::optional<std::int64_t> last_ready_ns_;
  std::deque<std::int64_t> taken_ns_;  ///< times of the last `depth` batches
};

}  // namespace stepgate
