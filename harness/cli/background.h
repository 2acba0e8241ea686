// What a report shows beside the verdicts: the stored sessions of each metric, and the line of its baseline.
#pragma once

#include "cli/advice.h"
#include "cli/context.h"
#include "core/case_values.h"
#include "core/run_report.h"

namespace stepgate {

/// Fills outcome.backgrounds, one entry for each metric of the verdict that was held against a file. Paths are relative
/// to the repository that holds the baselines.
void add_background(const Context& context, const BothBaselines& baselines, const CaseValues& values, Outcome& outcome);

}  // namespace stepgate
