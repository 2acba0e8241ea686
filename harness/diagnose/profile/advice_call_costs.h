// Advice from operator calls that ran twice (core/repeated_place.h).
#pragma once

#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/advice_input.h"

namespace stepgate {

/// One piece for each of at most three places whose calls were proven to cost something: taking all of them away is the
/// most that any mend there can do to them. First the places that call most of their operators themselves; then those
/// that call other places, if no place of the list has operators of them already.
std::vector<Advice> call_cost_advice(const AdviceInput& input);

/// Lowers the worth to what calls were proven to cost at most, and says so, where all `stacks` (innermost frame first)
/// lead through one place.
void bound_by_call_costs(const std::vector<CallCost>& costs, const std::vector<std::vector<SourceFrame>>& stacks,
                         Advice& advice);

}  // namespace stepgate
