// The spread of every time of a measurement over its steps, windows and processes.
#pragma once

#include <vector>

#include "core/record/measurement.h"
#include "core/verdict/step_distribution.h"

namespace stepgate {

/// Over all clean processes of group timed together, without cold shapes: step (per step; per window where the device
/// runs behind the host), queueing of a step, waiting for data, first step, every boundary of the phase pass, synthetic
/// step, copy of the batch. Empty without a timed process.
std::vector<StepDistribution> step_distributions(const Measurement& measurement);

}  // namespace stepgate
