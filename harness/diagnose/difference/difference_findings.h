// What the difference of two builds says in words.
#pragma once

#include <string>
#include <vector>

#include "core/study/step_difference.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// The rows that cost the most time as causes "time-moved", at most five, each with its line, then the attribution as
/// note "time-explained". Rows that save time, or cost less than 0.2 % of the step, are in the file only. `metric` is
/// the regressed one.
std::vector<Finding> difference_findings(const StepDifference& difference, const std::string& metric);

}  // namespace stepgate
