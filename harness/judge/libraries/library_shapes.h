// Whether both sides ask the libraries for the same: only then is a sum over their kernels a difference of the code.
#pragma once

#include "core/record/run_record.h"
#include "core/stored/baseline.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Makes the verdict on a sum with a library's kernels not_judged "library-shapes-differ" where the library calls of
/// the two sides differ in operator, dtype, shape, layout or number, over all counted steps. The figures stay. A
/// library splits a product of another shape as it likes, and an emulated GPU does not know how.
///
/// Leaves the verdict as it is where a side does not know its library calls: then it was written by an older version,
/// and the sum is judged as it was.
void require_equal_library_shapes(const WorkCounts& current, const Baseline& baseline, MetricVerdict& verdict);

}  // namespace stepgate
