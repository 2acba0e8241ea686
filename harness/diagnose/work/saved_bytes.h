// Which operators keep more of forward for backward?
#pragma once

#include <string_view>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

inline constexpr std::string_view saved_bytes_per_step = "saved_bytes_per_step";

/// Codes "saved-bytes-grew" and "saved-bytes-shrank", where the metric is regressed or improved: the boundary, the
/// operators that save more, with their bytes, and the lines of the first of them.
std::vector<Finding> explain_saved_bytes(const JudgedComparison& input);

}  // namespace stepgate
