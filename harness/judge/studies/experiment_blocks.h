// What the blocks of one process say about an experiment: one number per process.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/record/measurement.h"
#include "judge/studies/mean_of_looks.h"

namespace stepgate {

/// Processes of group profile. Those with an index below `first_look` are of the first look.
struct LookedAt {
  const Measurement& profile;
  std::int64_t first_look = std::numeric_limits<std::int64_t>::max();
};

/// Median over the rounds that have both of ln(step of `variant` / step of `reference`), one value per clean process of
/// group profile. Blocks of all delays of a variant count alike. Processes without such a round are left out.
LookValues log_block_ratios(const LookedAt& looked, std::string_view variant, std::string_view reference);

/// ln of the step of the baseline blocks, median over the rounds, one value per clean process of group profile.
std::vector<double> log_baseline_steps(const Measurement& profile);

/// How much of a delay reached the step, one value per clean process.
struct DelayResponse {
  LookValues criticality;    ///< least squares through the origin over all delays
  std::vector<double> bend;  ///< that of the largest delay alone minus that of the smallest; empty with one size
  double largest_share = 0;  ///< largest delay / baseline step, mean over the processes
};

/// Absent if no block of `variant` has a delay.
std::optional<DelayResponse> delay_response(const LookedAt& looked, std::string_view variant);

}  // namespace stepgate
