// The times of a measurement for people, before or without any verdict.
#pragma once

#include <vector>

#include "core/verdict/measured_times.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// The times of the clean timed processes. No distributions without one.
MeasuredTimes measured_times(const Project& project, const CasePlan& plan, const Measurement& measurement);

/// The times of a stored outcome, as its verdict.json holds them. The facts of its processes say why there is no MFU.
MeasuredTimes stored_times(const Outcome& outcome);

/// The times of each case: those of its outcomes in `report`; where none has any, those of its measurement.json, which
/// `stepgate run` leaves without a verdict. Cases without times have no entry.
std::vector<MeasuredTimes> times_of_cases(const Project& project, const std::vector<ManifestCase>& cases,
                                          const RunReport& report);

}  // namespace stepgate
