// The number of steps of each pass. The case declares it, the launcher can override it, and it is part of every
// baseline's key.
#pragma once

#include <cstdint>

namespace stepgate {

/// Steps per pass. They are fixed: a training step changes state, so an adaptive count would run different work.
struct StepCounts {
  std::int64_t e2e = 60;     ///< timed steps, a multiple of `window`
  std::int64_t window = 10;  ///< steps between two synchronisations of the e2e and synthetic passes
  /// Requests of an inference case, one after another. P99 needs 1000, P99.9 10 000. 0: the pass does not run.
  std::int64_t requests = 0;
  /// Requests that arrive at the rate of the case's parameter request_rate_per_s. 0: 2 000 where a rate is given, by
  /// the case or on the command line; else the pass does not run.
  std::int64_t open_requests = 0;
  std::int64_t phase = 30;
  std::int64_t synthetic = 30;
  std::int64_t loader = 40;     ///< batches drained without compute, a multiple of `window`
  std::int64_t h2d = 7;         ///< timed copies of each layout, size and kind of memory
  std::int64_t logging = 80;    ///< blocks of `window` steps, logging off/on/on/off: a multiple of 4 * window
  std::int64_t checkpoint = 0;  ///< timed calls of save_checkpoint; 0: the pass does not run
  /// Steps in which a GPU's own records say when it works: a multiple of `window`; 0: two windows on a GPU
  std::int64_t device_work = 0;
  std::int64_t counts = 8;  ///< counted steps, after `exact_warmup`
  std::int64_t memory = 12;
  std::int64_t numerics = 21;         ///< losses of steps 0..20 are compared (docs/design/verdicts.md, "Tier numeric")
  std::int64_t instructions = 0;      ///< steps whose host instructions are counted; 0: the pass does not run
  std::int64_t checkpoint_bytes = 0;  ///< calls of save_checkpoint whose files are measured; 0: the pass does not run
  std::int64_t profile = 0;           ///< steps of each block of `stepgate profile`; 0: it chooses
  std::int64_t exact_warmup = 3;      ///< steps before counting starts (the first one creates the optimizer state)
  std::int64_t warmup_cap = 200;      ///< most steps of timed warm-up; a run that is not steady by then is inconclusive

  bool operator==(const StepCounts&) const = default;
};

}  // namespace stepgate
