// Temporary exceptions that a policy grants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Turns a regressed metric of an active waiver (today <= until) into pass "waived", not gating, with owner and last
/// day in the detail. Other statuses stay: a waiver excuses a regression, not a missing measurement.
void apply_waivers(const Comparison& input, std::vector<MetricVerdict>& verdicts);

/// One sentence about the first expired waiver of this case for a metric of a requested half (or for an unknown name).
/// An expired waiver fails the case, so that it is noticed.
std::optional<std::string> expired_waiver(const Comparison& input);

}  // namespace stepgate
