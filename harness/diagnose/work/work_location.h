// In which boundary does a change of allocations, bytes, host syncs, kernels or copies sit?
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/work/step_spread.h"

namespace stepgate {

/// How the shares of an exact metric are said: counts as whole numbers, bytes as means per step.
WholeAmounts amounts_of(const std::vector<BoundaryShare>& shares, MetricUnit unit,
                        const std::optional<StepSpread>& spread);

/// Codes: work-added, work-removed. One finding per exact metric that moved, with the calls of CUDA's runtime or driver
/// where both sides name them; operators have their own question.
std::vector<Finding> explain_work_location(const JudgedComparison& input);

}  // namespace stepgate
