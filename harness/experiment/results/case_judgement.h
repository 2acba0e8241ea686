// A case on its way from values to an explained verdict, whatever its reference is.
#pragma once

#include <string_view>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/case_plan.h"

namespace stepgate {

/// What every comparison of a case has in common: the values, the policy, and what is to be judged. The reference is
/// still empty.
Comparison comparison_of(const Project& project, const CasePlan& plan, CaseValues current);

/// Measured values against the plan's stored baselines.
Comparison against_stored(const Project& project, const CasePlan& plan, const Measurement& measurement);

/// Compares the keys of the reference with what was found, and judges. One call, one decision.
JudgedComparison judge(Comparison comparison);

/// The outcome of the verdict, with its findings. Baseline, commands and pending files are added by
/// those that know them.
Outcome explain(const JudgedComparison& comparison);

/// Copies why processes failed, with the end of what they printed, and adds the wall time of all of them. `side` stands
/// before each message: "base build: ".
void add_processes(const Measurement& measurement, Outcome& outcome, std::string_view side = {});

}  // namespace stepgate
