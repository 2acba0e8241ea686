// The switches of LibTorch that hold for the whole process and that no key of a baseline has.
#pragma once

#include "core/device.h"
#include "core/record/fingerprint.h"

namespace stepgate {

/// Adds one fact a switch, as they are now: deterministic algorithms, backends that are switched off, autocast,
/// denormal numbers; those of CUDA only on `device` cuda. Call it on the thread of the step, outside every window. What
/// scopes of the step set and take back is not seen.
void add_global_switches(Device device, Fingerprint& facts);

}  // namespace stepgate
