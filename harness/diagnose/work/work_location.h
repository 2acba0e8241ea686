// In which boundary does a change of allocations, bytes, host syncs, kernels or copies sit?
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "diagnose/boundary_shares.h"
#include "diagnose/work/step_spread.h"

namespace stepgate {

/// How the shares of an exact metric are said: counts as whole numbers, bytes as means per step.
WholeAmounts amounts_of(const std::vector<BoundaryShare>& shares, MetricUnit unit,
                        const std::optional<StepSpread>& spread);

}  // namespace stepgate
