// The measuring half of `stepgate ablate`: pairs of fresh processes that differ in one knob.
#pragma once

#include <atomic>

#include "core/study/ablation.h"
#include "experiment/context.h"
#include "experiment/quiet_host.h"

namespace stepgate {

/// Pairs of each knob unless told otherwise: enough to tell a spread halved from one unchanged.
inline constexpr std::int64_t default_ablation_pairs = 12;

struct AblationMeasured {
  Ablation ablation;
  /// runqueue_wait_fraction of the processes with every knob on: what is quiet on this machine.
  std::vector<double> quiet_waits;
};

/// Measures every knob that this machine has in the mode of --guard, or those of --knobs: round after round, in each
/// round a pair of every knob, the side that runs first drawn from a logged seed. Decides nothing. After a signal what
/// is complete is returned, marked as interrupted. `context` is put back to mode process.
AblationMeasured measure_ablation(Context& context, const ManifestCase& entry, QuietHost& host,
                                  const std::atomic<int>& interrupted);

}  // namespace stepgate
