// Which lengths the batches of a measurement had.
#pragma once

#include <optional>

#include "core/record/batch_lengths.h"
#include "core/record/measurement.h"

namespace stepgate {

/// The lengths of the counted steps of the last clean exact process, which are the same in each. Without such a
/// process, those of the e2e steps of the last clean timed process. Absent if batches have no tokens.
std::optional<BatchLengths> measured_lengths(const Measurement& measurement);

}  // namespace stepgate
