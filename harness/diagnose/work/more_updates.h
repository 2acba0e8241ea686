// Does the optimizer update its parameters more often?
#pragma once

#include <optional>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// How many times as often the optimizer boundary calls its operators: each of them by the same factor, which is 1.5 or
/// more, none new, none gone; parameters as large as before, and no more operators in forward. Absent otherwise.
std::optional<double> updates_factor(const JudgedComparison& input);

/// Code: updates-more-often. Only where the case is red.
std::vector<Finding> explain_more_updates(const JudgedComparison& input);

}  // namespace stepgate
