// What the driver does more because of a cause that is told of the GPU.
#pragma once

#include "core/verdict/judged_comparison.h"
#include "diagnose/merge/fault.h"

namespace stepgate {

/// A copy from pageable memory makes the host wait, an emptied cache is filled again by the driver, and before a graph
/// is recorded its step runs without one: such counters are part of the cause, where all of their rise is of that kind.
void merge_device_causes(const JudgedComparison& input, Faults& faults);

}  // namespace stepgate
