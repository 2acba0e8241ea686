// A case that was judged against stored baselines, on its way to the outcome of a report.
#pragma once

#include "core/record/measurement.h"
#include "core/verdict/judged_comparison.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/case_plan.h"
#include "experiment/results/pending_files.h"
#include "experiment/results/result_inputs.h"

namespace stepgate {

struct JudgedCase {
  ResultInputs inputs;
  CasePlan plan;
  Measurement measurement;
  JudgedComparison comparison;
};

/// Explains the comparison; the baseline's facts and the commands to repeat it are the same whoever decided the times.
Outcome outcome_of(const Project& project, const JudgedCase& judged);

/// Adds to an outcome by stored baselines what may be accepted, and the commands that repeat and accept it.
void add_pending(const Caller& caller, const PendingFiles& pending, Outcome& outcome);

}  // namespace stepgate
