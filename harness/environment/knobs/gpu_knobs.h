// What the guard sets on a GPU: persistence, and its clocks where the user names them.
#pragma once

#include <string>

#include "environment/gpu/gpu_driver.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "gpu_persistence": on. Comes before the clocks and, since equal ranks are restored in reverse, is restored
/// after them: a locked clock is lost when an unused GPU shuts down. These planners read the driver. Whether the user
/// may set a knob shows only when it is set. Without a GPU in `wishes` they plan nothing, or `denied` for a clock that
/// is named.
KnobPlan plan_gpu_persistence(const HostFiles& files, const HostWishes& wishes);

/// Knob "gpu_clock": the core clock of `wishes`, else `available`.
KnobPlan plan_gpu_clock(const HostFiles& files, const HostWishes& wishes);

/// Knob "gpu_memory_clock": the same of the memory clock.
KnobPlan plan_gpu_memory_clock(const HostFiles& files, const HostWishes& wishes);

/// Makes `wanted` true. Returns errno as in GpuOutcome, 0 where it worked. EINVAL for a change that belongs to no GPU
/// or has a value that makes no sense.
int apply_gpu_change(GpuDriver& driver, const KnobChange& change);

/// Makes `original` true. A clock, whose original is "unknown", is given back to the driver. Returns errno as above.
int restore_gpu_change(GpuDriver& driver, const KnobChange& change);

/// "0" or "1" for persistence. "" for clocks, which cannot be read, and where the driver does not answer.
std::string read_gpu_change(GpuDriver& driver, const KnobChange& change);

}  // namespace stepgate
