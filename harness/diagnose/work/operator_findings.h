// Which operators does a step call more or less often, and in which boundary?
#pragma once

#include <string>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// Whether what `boundary` calls more often computes nothing: views, fills and allocations. Other lengths of sequences
/// bring some of them along, so that such a finding tells less than any other.
bool adds_only_views(const JudgedComparison& input, const std::string& boundary);

/// Whether `boundary` calls an operator less often that computes something.
bool removes_computation(const JudgedComparison& input, const std::string& boundary);

}  // namespace stepgate
