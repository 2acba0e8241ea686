// What `stepgate run` says of the times of one case, without a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict/step_distribution.h"

namespace stepgate {

/// A rate of the e2e pass, or an energy: the median over the processes, or why it is absent.
struct MeasuredRate {
  std::string metric = {};
  std::optional<double> value = {};
  std::string why_absent = {};  ///< "" where it is present, or where nothing is known
};

struct MeasuredTimes {
  std::string case_name = "";
  std::vector<StepDistribution> distributions = {};
  std::vector<MeasuredRate> rates = {};              ///< samples, steps, tokens per second, energies, in this order
  std::optional<double> tflop_per_s = std::nullopt;  ///< median over the processes
  std::optional<double> mfu_ratio = std::nullopt;    ///< likewise
  std::string why_no_mfu = {};                       ///< "" where it is present, or where no FLOPs are declared
};

}  // namespace stepgate
