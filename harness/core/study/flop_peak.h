// Which of the machine's peaks the FLOPs of a step are held against.
#pragma once

#include <optional>
#include <string>

#include "core/study/profile.h"

namespace stepgate {

/// Of its first output that is a tensor, else of its first input: it decides which units compute. "" without tensors.
std::string compute_dtype(const OperatorSite& site);

struct FlopPeak {
  std::string dtype;
  double flops_per_s = 0;
};

/// That of the dtype in which the step's operators compute most FLOPs; where it was not measured float32, else the
/// first that was measured. Absent where no peak was.
std::optional<FlopPeak> flop_peak(const Profile& profile);

}  // namespace stepgate
