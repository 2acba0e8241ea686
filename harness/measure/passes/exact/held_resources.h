// Follows what the process holds through the steps of the memory pass: the level at each step's end, and in which
// boundary it rose. Nothing of it runs in a timed window.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary.h"
#include "core/record/run_record.h"
#include "core/step_boundaries.h"
#include "measure/passes/exact/held_kinds.h"

namespace stepgate {

class HeldResources {
 public:
  explicit HeldResources(HeldPlaces places);

  /// Rises count from here on: call it before the first of `steps` that count. It takes all memory that later calls
  /// need, so that the heap, which the same pass watches, does not grow by it.
  void begin(std::int64_t steps, MemoryProfile& profile);
  /// After a boundary: what rose since the last reading rose in it.
  void end_boundary(Boundary boundary);
  /// Once batch and loss are released. Adds the level of each kind to `profile.series`, or the reason why there is none
  /// to `profile.absent`.
  void end_step(MemoryProfile& profile);
  /// After the last step: says in `profile.rises` what rose, in which boundary, with an example.
  void finish(const StepBoundaries& boundaries, MemoryProfile& profile);

 private:
  struct Followed {
    HeldReading level = 0;
    std::int64_t at_begin = 0;
    std::array<std::int64_t, boundary_slots> by_boundary = {};
    HeldThings things_at_begin = {};
  };
  /// Reads all levels; `boundary` gets what rose.
  void read(std::optional<Boundary> boundary);
  ResourceRise rise_of(const HeldKind& kind, const Followed& followed, const StepBoundaries& boundaries);

  HeldSources sources_;
  std::vector<Followed> followed_;  ///< in the order of held_kinds()
};

}  // namespace stepgate
