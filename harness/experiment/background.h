// What a report shows beside the verdicts: the stored sessions of each metric, and the line of its baseline.
#pragma once

#include "core/verdict/case_values.h"
#include "core/verdict/run_report.h"
#include "experiment/advice.h"
#include "experiment/context.h"

namespace stepgate {

/// Fills outcome.backgrounds, one entry for each metric of the verdict that was held against a file. Paths are relative
/// to the repository that holds the baselines.
void add_background(const Context& context, const BothBaselines& baselines, const CaseValues& values, Outcome& outcome);

}  // namespace stepgate
