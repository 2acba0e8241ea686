// What `stepgate run` says of the times of one case, without a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict/step_distribution.h"

namespace stepgate {

struct MeasuredTimes {
  std::string case_name = "";
  std::vector<StepDistribution> distributions = {};
  std::optional<double> tflop_per_s = std::nullopt;  ///< median over the processes
  std::optional<double> mfu_ratio = std::nullopt;    ///< likewise
  std::string why_no_mfu = {};                       ///< "" where it is present, or where no FLOPs are declared
};

}  // namespace stepgate
