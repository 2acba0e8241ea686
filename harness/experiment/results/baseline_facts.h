// What a report says about the stored baseline of a case: its file, its age, the sessions and the line of each metric.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/run_report.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Fills in path, summary, commit and age of the baseline that decides most of `half`.
void add_baseline_facts(const Project& project, const Comparison& comparison, TierChoice half, Outcome& outcome);

/// Fills in outcome.backgrounds: one entry for each metric of the verdict that was held against a file. Paths are
/// relative to the repository that holds the baselines.
void add_metric_backgrounds(const Project& project, const Comparison& comparison, Outcome& outcome);

}  // namespace stepgate
