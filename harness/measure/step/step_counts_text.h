// The step counts that a case runs with: declared, overridden, checked, and as the text that keys its baselines.
#pragma once

#include <string>
#include <string_view>

#include "core/step_count_fields.h"
#include "system/step_count_list.h"

namespace stepgate {

/// `declared` with the counts that `overrides` names.
StepCounts override_steps(StepCounts declared, const NamedSteps& overrides);

/// Throws Error(usage) where a case declares a count below 1 (below 0 for exact_warmup).
void require_sensible(const StepCounts& steps, std::string_view case_name);

/// The counts that the results of a group depend on: "counts=8,memory=12,numerics=21,exact_warmup=3" for exact,
/// "e2e=60,window=10,phase=30,synthetic=30,loader=40,h2d=7,logging=80" for timed and reference.
std::string steps_text(const StepCounts& steps, Group group);

}  // namespace stepgate
