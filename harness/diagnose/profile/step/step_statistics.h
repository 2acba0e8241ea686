// How long is a step, and how much does it process?
#pragma once

#include <map>
#include <string>

#include "core/study/profile.h"
#include "diagnose/profile/step/step_means.h"

namespace stepgate {

/// Over the e2e steps (windows on an asynchronous device) of all these processes together. Zeros without steps.
StepStatistics step_statistics(const Records& timed);

/// samples_per_s, padded_tokens_per_s, effective_tokens_per_s, padding_ratio: over all warm steps; what is 0 is left
/// out.
std::map<std::string, double> throughput_of(const Records& timed, double step_ns);

/// Boundary -> mean ns of one step in the phase pass, where the device is synchronised at each of them.
std::map<std::string, double> component_times(const Records& timed);

}  // namespace stepgate
