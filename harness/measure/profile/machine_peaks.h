// What this process can reach at most: matrix products, copies by working set, and the cost of the cheapest operator.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <set>
#include <string>

#include "core/record/profile_run.h"
#include "measure/device/backend.h"

namespace stepgate {

/// The dtype with a name as in ObservedTensor; absent for one that no matrix product takes.
std::optional<torch::ScalarType> matmul_dtype(const std::string& name);

/// Measures with this process's threads, in about a second. `dtypes` are names as in ObservedTensor; float32 is always
/// measured.
MachinePeaks measure_peaks(const torch::Device& device, Backend& backend, std::set<std::string> dtypes);

}  // namespace stepgate
