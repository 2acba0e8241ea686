// The times of a measurement for people, before or without any verdict.
#pragma once

#include "core/verdict/measured_times.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Of the clean timed processes. No distributions without one.
MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement);

}  // namespace stepgate
