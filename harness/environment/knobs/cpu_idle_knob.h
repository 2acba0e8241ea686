// Deep sleep of idle CPUs, from which they take long to wake.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"
#include "system/descriptor.h"

namespace stepgate {

/// While a process holds this file open and has written a 32-bit 0 (microseconds) to it, no CPU sleeps deeply.
inline constexpr const char* cpu_latency_file = "/dev/cpu_dma_latency";

/// Knob "cpu_idle". Never a change: the kernel undoes the setting when the file is closed, so nothing needs a journal.
/// `available` if the file may be opened for writing, else `unsupported` or `denied`.
KnobPlan plan_cpu_idle(const HostFiles& files, const HostWishes& wishes);

/// Opens the file of this machine and asks for no latency. Completes the report; closed if the kernel refused.
Descriptor hold_cpus_awake(const HostFiles& files, KnobReport& report);

}  // namespace stepgate
