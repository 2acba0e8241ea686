// Deep sleep of idle CPUs, from which they take long to wake.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_change.h"

namespace stepgate {

/// A process that holds this open with a 32-bit 0 (microseconds) written to it keeps all CPUs out of deep sleep.
inline constexpr const char* cpu_latency_file = "/dev/cpu_dma_latency";

/// Knob "cpu_idle". Never a change: the kernel undoes it when the file is closed, so nothing needs a journal. Settled
/// as `available` where the file may be opened for writing, for whoever holds it open; `unsupported` or `denied`
/// elsewhere.
KnobPlan plan_cpu_idle(const HostFiles& files);

}  // namespace stepgate
