// The measuring half of one case in pairs: exact processes, training runs, then timed pairs until they decide.
#pragma once

#include <optional>

#include "experiment/pairs/pair_measurement.h"

namespace stepgate {

/// The exact processes of both builds, and as many more of them as bytes that grew or declared variation need. After a
/// signal what is complete.
ExactMeasurements exact_half_of(const Project& head, const PairCase& pair_case, const Caller& caller);

/// A case that wants a timed half is also the control's where the run has none yet. Absent after an interruption: what
/// was complete is kept for the next run.
std::optional<PairMeasurement> measure_in_pairs(const PairRun& pairs, const CaseToPair& wanted);

}  // namespace stepgate
