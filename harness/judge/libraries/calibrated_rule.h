// Judges a sum with a library's kernels by what a real GPU starts for each library call.
#pragma once

#include <cstdint>

#include "core/record/run_record.h"
#include "core/stored/baseline.h"
#include "core/stored/library_calibration.h"
#include "core/verdict/verdict.h"

namespace stepgate {

struct CalibratedSides {
  const LibraryCalibration& calibration;
  const WorkCounts& current;
  const Baseline& baseline;
  std::int64_t tolerance = 0;  ///< allowed increase per step, as in the exact rule
};

/// Call it after require_equal_library_shapes(). Where all library calls of both sides are in the calibration, the
/// figures become own kernels plus those of libraries on that GPU, in the mean of the counted steps, and a sum that is
/// not judged "library-shapes-differ" is judged by them:
///   above the tolerance  -> regressed "above-limit"
///   above the baseline   -> pass      "within-limit"
///   below it             -> improved  "below-baseline"
///   else                 -> pass      "equal"
/// A verdict that was reached without the calibration keeps its status: with equal library calls both figures move by
/// the same number. Where a call is missing, the verdict stays and its detail says how many are.
void apply_calibration(const CalibratedSides& sides, MetricVerdict& verdict);

}  // namespace stepgate
