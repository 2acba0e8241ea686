// The level of the host heap at the ends of the steps of the numerics pass, and of more steps where a chunk may have
// come. A block of memory that is filled over many steps is one rise in the few steps of the memory pass, as a cache
// is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/catalogue/memory_metrics.h"
#include "core/record/run_record.h"
#include "measure/device/backend.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// Keeps the level at the end of each step from the last of the uncounted ones on. Never inside a timed window.
class HeapWatch {
 public:
  /// Takes all memory that it will need. `backend` must outlive this.
  HeapWatch(Backend& backend, const StepCounts& steps);

  /// Once batch and loss are released. `step` counts from 0.
  void end_step(std::int64_t step);

  /// What was allocated since the last end_step() was not by the steps.
  void go_on();

  /// Whether the level rose for good by the size of a chunk in a step, and not in half of all steps.
  bool may_hold_chunks() const;

  /// The step after the last one that may be followed.
  std::int64_t end() const { return first_ + catalogue::host_heap_followed_steps + 1; }

  /// Moves the levels, or why there are none, into `profile`.
  void keep(MemoryProfile& profile);

 private:
  Backend& backend_;
  std::int64_t first_;  ///< the step whose end is the first level
  std::vector<std::int64_t> levels_;
  std::int64_t of_others_ = 0;  ///< allocated between steps, by the harness
  std::string absent_;          ///< why the level cannot be read; "": it can
};

/// Runs the steps from `first` on to heap.end() where a chunk may have come, on any rank: ranks train together. `agree`
/// as RankContext::agree.
void follow_chunks(StepActions& actions, HeapWatch& heap, std::int64_t first,
                   const std::function<bool(bool mine)>& agree);

}  // namespace stepgate
