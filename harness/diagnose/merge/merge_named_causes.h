// A cause with a name of its own takes the operators and the memory that belong to it.
#pragma once

#include "core/verdict/comparison.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// Batch normalisation, parameters, gradients zeroed in place, a lost detach() and .to() take the operators added in
/// their boundaries, each with its figures, so nothing is hidden; a host sync, and a loop outside the optimizer, stay
/// causes of their own. Batch normalisation takes the parameters that it brings. Memory is taken as far as parameters,
/// gradients and optimizer state explain it; a lost detach() takes the memory that grows.
void merge_named_causes(const Comparison& input, Faults& faults);

}  // namespace stepgate
