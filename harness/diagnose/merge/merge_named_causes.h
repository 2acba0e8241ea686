// A cause with a name of its own takes the operators and the memory that belong to it.
#pragma once

#include "core/verdict/judged_comparison.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// Batch normalisation, parameters, gradients zeroed in place, a lost detach(), .to() and the patterns of
/// diagnose/causes take the operators added in their boundaries, each with its figures, so nothing is hidden; a host
/// sync, and a loop outside the optimizer, stay causes of their own unless the pattern is made of them. Batch
/// normalisation and biases take the parameters that they bring. Memory is taken as far as parameters, gradients and
/// optimizer state explain it; a lost detach() takes the memory that grows; eval mode and a rebuilt optimizer take the
/// losses that they change. A wait that was added takes the operators of the boundaries in which it was, and loops of
/// its lines.
void merge_named_causes(const JudgedComparison& input, Faults& faults);

}  // namespace stepgate
