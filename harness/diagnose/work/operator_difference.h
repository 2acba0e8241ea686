// The operators that a step calls more or less often than the baseline says, for the questions of this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/operator_change.h"
#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// Empty where either side counted no operators.
std::vector<OperatorChange> operator_difference(const JudgedComparison& input);

/// How often a step calls that operator more than before inside the boundary; negative: less, 0: as often.
double calls_more(const std::vector<OperatorChange>& changes, std::string_view boundary, std::string_view name);

/// The difference as a whole number of calls, where it is one and not 0: means over steps need not be.
std::optional<std::int64_t> whole_calls(double difference);

}  // namespace stepgate
