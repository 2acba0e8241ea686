// Stream hazards as values that verdicts compare.
#pragma once

#include "core/record/measurement.h"
#include "core/verdict/case_values.h"

namespace stepgate {

/// The number of hazards of the run, for each exact process that `into` has; nothing where they were not looked for.
void add_hazards(const Measurement& measurement, CaseValues& into);

}  // namespace stepgate
