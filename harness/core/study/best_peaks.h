// What a machine reached at best in several measurements.
#pragma once

#include "core/record/profile_run.h"

namespace stepgate {

/// Raises `best` to what `other` reached: the higher rate of each dtype and level, the lower price of a call. A roof is
/// what the machine can reach, so a slow moment or process is no part of it. What only one of them has is kept.
void raise_peaks(const MachinePeaks& other, MachinePeaks& best);

}  // namespace stepgate
