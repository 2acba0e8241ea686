#include <algorithm>
#include <string>

#include "measure/boundary_action.h"
#include "measure/exact_passes.h"
#include "measure/host_peak.h"
#include "measure/step_checks.h"

namespace stepgate {
namespace {

/// Peaks of one step. Each boundary starts with a reset, so that each has its own; what was resident then is part
/// of it.
struct StepPeaks {
  std::array<std::int64_t, boundary_count> allocated{};
  std::optional<std::int64_t> reserved;
  std::int64_t resident = 0;

  std::int64_t highest() const { return *std::max_element(allocated.begin(), allocated.end()); }
};

StepPeaks run_watched_step(StepActions& actions, Backend& backend, std::int64_t step) {
  StepPeaks result;
  for (Boundary boundary : all_boundaries) {
    backend.reset_peak();
    run_boundary(actions, boundary, step);
    const MemoryStats stats = backend.memory();
    result.allocated[static_cast<std::size_t>(boundary)] = stats.peak_allocated_bytes;
    result.reserved = std::max(result.reserved, stats.peak_reserved_bytes);
  }
  actions.release();
  // Blocks that another stream used are given back once that stream is through with them.
  backend.synchronize();
  result.resident = backend.memory().allocated_bytes;
  return result;
}

void add_peaks(const StepPeaks& step, MemoryProfile& profile) {
  profile.resident_bytes.push_back(step.resident);
  profile.peak_bytes.push_back(step.highest());
  for (Boundary boundary : all_boundaries) {
    std::int64_t& peak = profile.peak_by_boundary[std::string(name_of(boundary))];
    peak = std::max(peak, step.allocated[static_cast<std::size_t>(boundary)]);
  }
}

}  // namespace

MemoryProfile run_memory(StepActions& actions, Backend& backend, const StepCounts& steps) {
  require_positive({"memory", steps.memory});
  require_not_negative({"exact_warmup", steps.exact_warmup});
  MemoryProfile profile;
  for (std::int64_t step = 0; step < steps.exact_warmup + steps.memory; ++step) {
    const StepPeaks peaks = run_watched_step(actions, backend, step);
    profile.peak_allocated_bytes = std::max(profile.peak_allocated_bytes, peaks.highest());
    profile.peak_reserved_bytes = std::max(profile.peak_reserved_bytes, peaks.reserved);
    if (step >= steps.exact_warmup) add_peaks(peaks, profile);
  }
  profile.host_peak_bytes = host_peak_bytes();
  return profile;
}

}  // namespace stepgate
