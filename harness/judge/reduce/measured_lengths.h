// Which lengths the batches of a measurement had.
#pragma once

#include <optional>

#include "core/record/batch_lengths.h"
#include "core/record/measurement.h"

namespace stepgate {

/// Of the counted steps of the last clean exact process, which are the same in each; without one of the e2e steps of
/// the last clean timed process. Absent where batches have no tokens.
std::optional<BatchLengths> measured_lengths(const Measurement& measurement);

}  // namespace stepgate
