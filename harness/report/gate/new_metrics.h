// Metrics that the baseline does not hold: newer than it, or declared varying when it was accepted. Listed once a
// report, with what adds them.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

struct NewMetrics {
  std::string list;  ///< "loader supply (vision/mlp/wide), H2D copies (3 cases)"; "" where there are none
  std::vector<std::string> commands;  ///< accept those of cases that pass: one for all that take the same options
};

/// Gating metrics with the reason "new-metric", in the order of the report.
NewMetrics new_metrics(const RunReport& report);

/// What the list means, as a sentence for a person.
inline constexpr std::string_view new_metrics_meaning =
    "the baselines do not hold these metrics: they are older, or the policy declared them varying when they were "
    "accepted. Accept them once, and they are judged from then on.";

}  // namespace stepgate
