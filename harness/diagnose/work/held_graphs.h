// Does something keep the graphs of past steps?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: graphs-held. Only where held_graphs_per_step is red: one finding for the boundary that keeps most of them.
std::vector<Finding> explain_held_graphs(const JudgedComparison& input);

}  // namespace stepgate
