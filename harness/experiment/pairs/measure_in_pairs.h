// The measuring half of one case in pairs: exact processes, training runs, then timed pairs until they decide.
#pragma once

#include <optional>

#include "experiment/pairs/pair_measurement.h"

namespace stepgate {

/// The exact processes of both builds, and as many more of them as bytes that grew or declared variation need. After a
/// signal, the processes that are complete.
ExactMeasurements exact_half_of(const Project& head, const PairCase& pair_case, const Caller& caller);

/// If the run has no control yet, a case that wants a timed half is also measured as the control, where a red of it is
/// at hand or in reach (pair_sequence.h). Absent after an interruption: complete results are kept for the next run.
std::optional<PairMeasurement> measure_in_pairs(const PairRun& pairs, const CaseToPair& wanted);

/// The control of `measured`, for the reds of the next cases. Absent where it has fewer clean pairs than the first
/// analysis that may call red: the next case that needs a control then measures its own.
std::optional<ControlResult> control_for_next(const PairMeasurement& measured);

}  // namespace stepgate
