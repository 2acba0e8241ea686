// Steps in which the operator calls of one place run twice, in turns with the step as it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/record/profile_run.h"
#include "core/repeated_place.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/experiments/altered_step.h"

namespace stepgate {

struct RepeatRequest {
  TimedRun& run;         ///< of `altered`
  AlteredStep& altered;  ///< the step that `run` drives
  const std::vector<RepeatedPlace>& places;
  std::int64_t step_ns = 0;
  std::uint64_t seed = 0;  ///< for the order of the blocks
  bool in_turns = false;   ///< VariantRun::in_turns
};

struct RepeatedBlocks {
  std::vector<VariantBlock> blocks = {};           ///< ProfileRun::repeats
  std::map<std::string, std::int64_t> calls = {};  ///< ProfileRun::repeated_calls
  double repeating_ns = 0;                         ///< ProfileRun::repeating_ns
  std::map<std::string, std::string> absent = {};  ///< keys of core/repeated_place.h -> why there are no blocks
};

/// Learns in a window of steps which calls belong to which place, and runs the blocks. A place without calls has none.
/// A step whose calls differ from those learnt repeats only what comes before the difference; where more than 5 % of
/// them do so, the blocks of that place say too little and are dropped. All ranks run the same steps.
RepeatedBlocks repeat_calls(const RepeatRequest& request);

}  // namespace stepgate
