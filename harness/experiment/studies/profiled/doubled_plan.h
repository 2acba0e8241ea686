// The processes of a profile that have twice the batch or twice the threads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/stored/manifest.h"
#include "experiment/plan/measured_host.h"
#include "launch/measure_case.h"

namespace stepgate {

struct DoubledPlan {
  std::optional<LaunchRequest> request = std::nullopt;
  std::string absent = {};  ///< why nothing can be doubled; "" where there is a request
};

/// `request` with twice the batch_size that the case declares. Asks the program for its parameters, in `folder`.
DoubledPlan plan_doubled_batch(LaunchRequest request, const ManifestCase& entry, const std::filesystem::path& folder);

/// `request` with twice the threads, where the case computes on the CPU and this machine has CPUs for them.
DoubledPlan plan_doubled_threads(LaunchRequest request, const ManifestCase& entry, const MeasuredHost& host);

}  // namespace stepgate
