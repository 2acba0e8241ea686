// How a level that only something kept can raise went over the steps of one process.
#pragma once

#include <cstdint>

namespace stepgate {

/// In the unit of the level, per step. docs/design/metrics.md, "Growth of a level", says how it is computed.
struct LevelGrowth {
  double per_step = 0;         ///< what a step adds; 0 where the last level is the first; negative: it falls
  double noise = 0;            ///< standard error of `per_step`, from how unequally the steps add
  std::int64_t steps = 0;      ///< how often a step's end was compared with the one before
  std::int64_t rises = 0;      ///< steps that ended above all earlier ends, with no later end at or below these
  std::int64_t one_off = 0;    ///< the rise that was left out because it came once; 0: none
  bool in_every_step = false;  ///< each step ended above the one before
  bool repeated = false;       ///< two or more rises of like size that lie over all steps: it grows in chunks
};

}  // namespace stepgate
