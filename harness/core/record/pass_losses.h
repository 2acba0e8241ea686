// What the steps of a pass computed as their loss, in every pass that runs whole steps. The values that the numerics
// pass records are in NumericTrace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stepgate {

/// A loss that is not finite.
struct LossBreak {
  std::int64_t step = 0;  ///< counted from the build of the workload, as StepPlace::step
  double value = 0;

  bool operator==(const LossBreak&) const = default;
};

/// Timed passes share one workload, so their steps count on from the warm-up.
struct PassLosses {
  std::int64_t steps = 0;      ///< steps that computed a loss
  std::int64_t seen = 0;       ///< those whose loss was looked at
  std::int64_t last_seen = 0;  ///< number of the last one of them
  /// The first value that is not finite, by metric: "loss", "loss[discriminator]".
  std::map<std::string, LossBreak> breaks = {};
  /// Loss of each step, in exact passes on a CPU. Empty in other passes.
  std::vector<double> values = {};

  bool operator==(const PassLosses&) const = default;
};

}  // namespace stepgate
