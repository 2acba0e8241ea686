// From the processes of a sweep to the values that are ranked.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/sweep.h"

namespace stepgate {

/// The values of each setting, process by process.
class SweepSamples {
 public:
  /// `sweep`: everything but its settings and its ranking.
  explicit SweepSamples(Sweep sweep);

  /// Adds the fresh process of one setting in one round. A setting that failed has no further values.
  void add(std::size_t round, std::size_t setting, const Measurement& measurement);

  bool has_failed(std::size_t setting) const { return !sweep_.settings[setting].failure.empty(); }
  const std::vector<std::string>& values_of(std::size_t setting) const { return sweep_.settings[setting].values; }
  const Sweep& sweep() const { return sweep_; }

  /// Adds the medians of the metrics that explain the ranked one; they are not ranked.
  Sweep finished() &&;

 private:
  Sweep sweep_;
  std::vector<std::map<std::string, std::vector<double>>> beside_;
};

/// A sweep without values: parameters, metric, and the order of the settings in each round, drawn from process.seed.
/// process.timed_replicates is the number of rounds.
Sweep empty_sweep(const std::string& case_name, const SweepPlan& plan, const Plan& process);

}  // namespace stepgate
