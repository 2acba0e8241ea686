// Does the optimizer update its parameters more often?
#pragma once

#include <optional>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// How many times as often the optimizer boundary calls its operators: each of them by the same factor, which is 1.5 or
/// more, none new, none gone; parameters as large as before, and no more operators in forward. Absent otherwise.
std::optional<double> updates_factor(const JudgedComparison& input);

}  // namespace stepgate
