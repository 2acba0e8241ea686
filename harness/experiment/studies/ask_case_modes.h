// `stepgate doctor CASE --device emulated:MODEL`: counts each case, and says whether its counts depend on numbers.
#pragma once

#include "core/study/case_modes.h"
#include "experiment/measure_cases.h"

namespace stepgate {

struct AskedModes {
  CaseModes modes = {};
  int interrupted_by = 0;  ///< a signal; then not all cases are there
};

/// One process of group exact a case, and those that need_of_values() starts. Measurements are written as `run` does.
/// Throws Error(usage) where the project has no emulated GPU, or one that computes values; else as measure_cases().
AskedModes ask_case_modes(const Project& project, MeasurementOptions options, const Caller& caller);

}  // namespace stepgate
