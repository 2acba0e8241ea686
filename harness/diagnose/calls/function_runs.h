// How often a function of the user ran in a step, seen by the operators that it calls as often as before.
#pragma once

#include <optional>
#include <string_view>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// Calls of this operator inside the boundary for each run of the function that calls it: 1 where each of twelve layers
/// calls it once, 256 where one function calls it for each row of a batch. Of several functions the largest. Per step;
/// absent where the program was not observed, or the baseline knows no functions under names of the same kind.
std::optional<double> calls_per_run(const JudgedComparison& input, std::string_view boundary, std::string_view name);

}  // namespace stepgate
