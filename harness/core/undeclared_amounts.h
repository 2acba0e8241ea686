// Amounts of a batch that the user's code never declares. They are unknown, not 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stepgate {

/// Metric -> value of each counted step, as WorkCounts::per_step and Baseline::exact.
using StepValues = std::map<std::string, std::vector<std::int64_t>>;

/// The metrics in `per_step` that follow from an amount which is 0 in every step, and why they are absent.
std::map<std::string, std::string> undeclared_amounts(const StepValues& per_step);

/// `per_step` without them. Older versions stored 0.
StepValues without_undeclared(StepValues per_step);

}  // namespace stepgate
