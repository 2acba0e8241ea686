// The level of the host heap at the ends of the steps of the numerics pass, and of more steps where a chunk may have
// come. A block of memory that is filled over many steps is one rise in the few steps of the memory pass, as a cache
// is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
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

  /// What a step took between the first level and the last one, as a mean.
  double seconds_per_step() const;

  /// The levels so far say nothing, for this reason.
  void give_up(std::string why);

  /// Moves the levels, or why there are none, into `profile`.
  void keep(MemoryProfile& profile);

 private:
  Backend& backend_;
  std::int64_t first_;  ///< the step whose end is the first level
  std::vector<std::int64_t> levels_;
  std::chrono::steady_clock::time_point first_read_;
  std::chrono::steady_clock::time_point last_read_;
  std::int64_t of_others_ = 0;  ///< allocated between steps, by the harness
  std::string absent_;          ///< why the level cannot be read; "": it can
};

struct FollowedSteps {
  std::int64_t first = 0;                ///< the first of them
  std::optional<double> left_s;          ///< until the process is stopped; absent where nobody stops it
  std::function<bool(bool mine)> agree;  ///< as RankContext::agree
};

/// Runs further steps up to heap.end() where a chunk may have come, on any rank: ranks train together. Where they would
/// take more than four fifths of the time that a rank has left, heap.give_up() instead: a process that is stopped has
/// no record at all.
void follow_chunks(StepActions& actions, HeapWatch& heap, const FollowedSteps& steps);

}  // namespace stepgate
