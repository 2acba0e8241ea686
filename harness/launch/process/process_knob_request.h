// Which process knobs a measured process starts with.
#pragma once

#include "environment/process/cpu_choice.h"
#include "environment/process/process_knobs.h"
#include "launch/launch_guard.h"

namespace stepgate {

/// Priority of measured processes where the launcher may raise it: above every ordinary process, below the kernel's
/// own.
inline constexpr int measured_nice = -10;

/// All knobs of the guard's mode except those that are switched off. Mode observe sets nothing.
ProcessKnobRequest process_knob_request(const LaunchGuard& guard, const CpuChoice& cpus);

}  // namespace stepgate
