// Does the model have more parameters?
#pragma once

#include <cstdint>
#include <optional>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// What one parameter tensor more brings: backward sets its gradient (one aten::detach), and zero_grad() detaches it
/// (one aten::detach_). Absent where the two do not agree, and where the same parameters are updated more often.
std::optional<std::int64_t> more_parameter_tensors(const JudgedComparison& input);

}  // namespace stepgate
