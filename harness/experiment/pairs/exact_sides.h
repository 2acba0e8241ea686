// The exact half of both builds of a case.
#pragma once

#include "core/record/measurement.h"
#include "experiment/pairs/pair_case.h"

namespace stepgate {

struct ExactMeasurements {
  Measurement base;
  Measurement head;
  bool interleaved = false;  ///< most processes were measured side by side, in an order that was drawn
};

/// Measured, or taken from an interrupted run: <folder>/exact/{base,head}/measurement.json.
ExactMeasurements measure_exact_sides(const PairCase& pair_case, const Caller& caller);

/// Adds processes to `sides`, base and head in a drawn order, until each has `wanted` of them:
/// <folder>/exact/more-NNN/{base,head}/measurement.json, measured or taken up. If interrupted, returns `sides`
/// unchanged.
ExactMeasurements with_more_processes(const PairCase& pair_case, const Caller& caller, std::int64_t wanted,
                                      ExactMeasurements sides);

/// Exact processes that were measured, without failures.
std::int64_t exact_processes(const Measurement& measurement);

}  // namespace stepgate
