// The times of a measurement for people, before or without any verdict.
#pragma once

#include "core/verdict/measured_times.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// The times of the clean timed processes. No distributions without one.
MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement);

/// The times of a stored outcome, as its verdict.json holds them. The facts of its processes say why there is no MFU.
MeasuredTimes stored_times(const Outcome& outcome);

}  // namespace stepgate
