// Times that have nothing to be compared with yet.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: times-without-baseline, at most one finding: what gives these times something to be compared with, today and
/// later.
std::vector<Finding> explain_times_without_baseline(const JudgedComparison& input);

}  // namespace stepgate
