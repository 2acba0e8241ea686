// Temporary exceptions that a policy grants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/verdict/judge_case.h"

namespace stepgate {

/// Turns regressed metrics that an active waiver (today <= until) names into pass "waived", not gating, with owner and
/// last day in the detail. Other statuses stay: a waiver excuses a regression, not a missing measurement.
void apply_waivers(const Comparison& input, std::vector<MetricVerdict>& verdicts);

/// One sentence on the first expired waiver of this case for a metric of a requested half (or for a name that is not
/// in the catalogue): an expired one fails, so that no waiver is forgotten.
std::optional<std::string> expired_waiver(const Comparison& input);

}  // namespace stepgate
