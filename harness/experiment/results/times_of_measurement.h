// The times of a measurement for people, before or without any verdict.
#pragma once

#include "core/verdict/measured_times.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Of the clean timed processes. No distributions without one.
MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement);

/// Of a stored outcome, as its verdict.json holds them. Why there is no MFU follows from the facts of its processes.
MeasuredTimes stored_times(const Outcome& outcome);

}  // namespace stepgate
