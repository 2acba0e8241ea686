// Measures rounds of a sweep: in each, one fresh process of every setting.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <vector>

#include "experiment/plan/caller.h"
#include "experiment/swept/sweep_samples.h"
#include "launch/measure_case.h"

namespace stepgate {

class SweepRounds {
 public:
  /// `request`: what all processes have in common (planned_sweep.h). Run records go to `folder`/runs. `planned`: rounds
  /// that this machine measures, for its progress.
  SweepRounds(const Caller& caller, LaunchRequest request, const std::filesystem::path& folder, std::size_t planned);

  /// One measurement for each setting, in the order of the grid; without replicates if the setting had failed before
  /// and was not started, or if a signal came first. Adds each to `samples` as soon as it is there.
  std::vector<Measurement> measure(std::size_t round, SweepSamples& samples);

 private:
  Measurement measured(std::size_t round, std::size_t setting, const SweepSamples& samples) const;
  LaunchCallbacks callbacks(const SweepSamples& samples) const;

  const Caller& caller_;
  LaunchRequest request_;
  std::filesystem::path folder_;
  std::size_t planned_;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace stepgate
