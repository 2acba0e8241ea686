// The sum of kernels of a case as a calibration has it: own kernels, and those that libraries start for its calls.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/stored/library_calibration.h"

namespace stepgate {

/// What a side counted, as WorkCounts and Baseline hold it: metric -> value of each counted step, and
/// WorkCounts::device_calls.
struct CountedKernels {
  const std::map<std::string, std::vector<std::int64_t>>& per_step;
  const std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>>& device_calls;
};

/// Totals are doubles: each number of a file fits in one, and products of hostile ones do not overflow.
struct CalibratedSum {
  double steps = 0;
  double kernels = 0;                ///< own ones and those of libraries, over all steps
  double memsets = 0;                ///< of libraries at most, over all steps
  std::vector<std::string> missing;  ///< library calls without a row that can be used, sorted, with why; each once
  std::string unknown;               ///< why nothing can be said: the side does not know its calls; "" if it does

  bool is_complete() const { return unknown.empty() && missing.empty(); }
  double kernels_per_step() const { return steps > 0 ? kernels / steps : 0; }
  double memsets_per_step() const { return steps > 0 ? memsets / steps : 0; }
};

CalibratedSum calibrated_sum(const LibraryCalibration& calibration, const CountedKernels& counted);

/// "h100.json (NVIDIA H100 80GB HBM3, CUDA 12.4)".
std::string name_of_calibration(const LibraryCalibration& calibration);

}  // namespace stepgate
