// What the guard sets on a GPU: persistence, and its clocks where the user consents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "environment/gpu/gpu_driver.h"
#include "environment/knobs/knob_change.h"

namespace stepgate {

/// A clock is locked only where it is named here: the driver cannot say what it was locked to before, so that locking
/// may take somebody else's lock away for good. That is the user's decision.
struct GpuWishes {
  std::string uuid;  ///< "GPU-..."
  std::optional<std::int64_t> lock_clock_mhz;
  std::optional<std::int64_t> lock_memory_clock_mhz;
};

/// Knobs gpu_persistence (wanted: on), gpu_clock and gpu_memory_clock. Persistence comes first and, since equal ranks
/// are restored in reverse, goes last: a locked clock is lost when an unused GPU is shut down. Reads the driver and
/// changes nothing; whether the user may set them, only setting them tells.
KnobPlan plan_gpu_knobs(GpuDriver& driver, const GpuWishes& wishes);

/// Makes `wanted` true. Returns errno as in GpuOutcome, 0 where it worked; EINVAL where the change is none of a GPU or
/// its value makes no sense.
int apply_gpu_change(GpuDriver& driver, const KnobChange& change);

/// Makes `original` true; a clock, whose original is "unknown", is given back to the driver. Returns errno as above.
int restore_gpu_change(GpuDriver& driver, const KnobChange& change);

/// "0" or "1" for persistence; "" for clocks, which cannot be read, and where the driver does not answer.
std::string read_gpu_change(GpuDriver& driver, const KnobChange& change);

}  // namespace stepgate
