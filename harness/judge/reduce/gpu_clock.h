// The GPU's clock of one timed process.
#pragma once

#include "core/record/evidence.h"
#include "core/record/run_record.h"
#include "judge/reduce/timed_values.h"

namespace stepgate {

/// Adds gpu_clock_mhz: the mean over the windows of the e2e pass that are timed and have a clock. Where no window has
/// one, that over all timed passes (gpu_clock_mean_mhz of the evidence), else why there is none. Nothing without a GPU.
void add_gpu_clock(const Evidence& evidence, const RunRecord& record, TimedValues& values);

}  // namespace stepgate
