// Writes what a person may accept after review: the measured values in the form of a baseline.
#pragma once

#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/stored/baseline.h"
#include "core/verdict/judged_comparison.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// One pending file per scope that was measured and is worth accepting: no baseline yet, something moved, or one more
/// session of a runner class. Nothing for a case that failed.
struct PendingFiles {
  std::string first = {};              ///< path of the first file written, "" where there is none
  std::vector<Finding> findings = {};  ///< why values make no baseline
};
PendingFiles write_pending_files(const Project& project, const Measurement& measurement,
                                 const JudgedComparison& comparison);

/// Whether a pending file has values of that half. One that an older version wrote for a GPU may have both.
bool holds_half(const Baseline& pending, TierChoice half);

}  // namespace stepgate
