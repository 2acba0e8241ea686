// Which operators does a step call more or less often, and in which boundary?
#pragma once

#include <string>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Codes: host-sync-added, loop-instead-of-batch, copy-added, operator-added, operator-removed. One finding per
/// boundary.
std::vector<Finding> explain_operators(const JudgedComparison& input);

/// Whether what `boundary` calls more often computes nothing: views, fills and allocations. Other lengths of sequences
/// bring some of them along, so that such a finding tells less than any other.
bool adds_only_views(const JudgedComparison& input, const std::string& boundary);

}  // namespace stepgate
