// Measurements alone: fresh processes of each case, without a verdict.
#pragma once

#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"

namespace stepgate {

struct MeasurementOptions {
  Selection selection = {};
  MeasureOptions measure = {};
  HostOptions host = {};
};

struct MeasuredCases {
  bool failed = false;  ///< a process failed
  int interrupted_by = 0;
};

/// Writes a measurement.json per case and tells the observer of each. Throws Error(usage) for a debug build and where
/// no case is selected.
MeasuredCases measure_cases(const Project& project, const MeasurementOptions& options, const Caller& caller);

}  // namespace stepgate
