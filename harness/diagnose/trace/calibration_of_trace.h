// What do the libraries of the GPU of a trace start for each of their calls?
#pragma once

#include "core/stored/library_calibration.h"
#include "core/study/trace_events.h"

namespace stepgate {

/// `trace` was read with its operands (TraceLimits::operands). A library call is an operator in which a library starts
/// kernels, as in a record; kernels and memsets belong to the innermost operator that ran on the thread of their
/// launch. A call whose kernels the trace lost counts as one with fewer, so its row becomes ambiguous.
///
/// Throws Error(usage) where the trace does not name the GPU of these kernels, names several models or an emulated one,
/// or has no such call with dtypes, sizes, strides and arguments.
LibraryCalibration calibration_of_trace(const TraceEvents& trace);

}  // namespace stepgate
