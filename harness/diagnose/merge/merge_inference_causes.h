// Causes of an inference case that computes as in training, with what that brings along.
#pragma once

#include "diagnose/merge/fault.h"

namespace stepgate {

/// Graphs that are recorded take the nodes, the bytes that they save, the memory and the time of their boundary.
/// Modules in train mode take the operators, the answers and the time of theirs.
void merge_inference_causes(Faults& faults);

}  // namespace stepgate
