// Step counts as text: "e2e=60,window=10".
#pragma once

#include <string>
#include <string_view>

#include "core/plan.h"
#include "core/record/step_count_fields.h"

namespace stepgate {

/// `declared` with the counts that `overrides` names. Throws Error(usage) naming --stepgate_steps and the entry for
/// unknown names, anything that is no whole number, and counts below 1 (below 0 for exact_warmup).
StepCounts override_steps(StepCounts declared, std::string_view overrides);

/// Throws Error(usage) where a case declares a count below 1 (below 0 for exact_warmup).
void require_sensible(const StepCounts& steps, std::string_view case_name);

/// The counts that the results of a group depend on: "counts=8,memory=12,numerics=21,exact_warmup=3" for exact,
/// "e2e=60,window=10,phase=30,synthetic=30,loader=40,h2d=7,logging=80" for timed and reference.
std::string steps_text(const StepCounts& steps, Group group);

}  // namespace stepgate
