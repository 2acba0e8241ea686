// Observations that are said of several passing cases, to be shown once.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

struct SharedObservation {
  std::string message;
  std::vector<std::string> cases;
};

/// The observations that two or more of the cases share that pass or improved, in the order of the report.
std::vector<SharedObservation> shared_observations(const RunReport& report);

bool is_shared(const std::vector<SharedObservation>& shared, const Finding& finding);

/// "9 cases: timed tier: not gated (TIERS exact)"
std::string shared_text(const SharedObservation& shared);

}  // namespace stepgate
