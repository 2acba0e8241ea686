// Does the step call its loss scaler in the right order? By the operators that a scaler calls, in the order of their
// first call.
#pragma once

#include <vector>

#include "diagnose/patterns/pattern.h"

namespace stepgate {

/// A norm of the gradients before they are unscaled: clipping with it cuts at a limit that is too low by the scale.
std::vector<PatternMatch> find_clip_before_unscale(const ObservedWork& work);

/// Gradients are unscaled, and nothing updates the scale.
std::vector<PatternMatch> find_missing_scale_update(const ObservedWork& work);

/// More gradients are unscaled in a step than there are.
std::vector<PatternMatch> find_repeated_unscale(const ObservedWork& work);

}  // namespace stepgate
