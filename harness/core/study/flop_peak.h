// Which of the machine's peaks the FLOPs of a step are held against.
#pragma once

#include <optional>
#include <string>

#include "core/study/profile.h"

namespace stepgate {

/// The dtype of its first output that is a tensor, else of its first input. It decides which units compute. "" without
/// tensors.
std::string compute_dtype(const OperatorSite& site);

struct FlopPeak {
  std::string dtype;
  double flops_per_s = 0;
};

/// The peak of the dtype in which the step's operators compute most FLOPs. If it was not measured: that of float32,
/// else the first that was measured. Absent if no peak was measured.
std::optional<FlopPeak> flop_peak(const Profile& profile);

}  // namespace stepgate
