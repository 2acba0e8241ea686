// Switches off kernel activity that interrupts running code: /proc/sys/kernel.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "numa_balancing" to 0: the kernel unmaps pages to see who uses them, and moves them.
KnobPlan plan_numa_balancing(const HostFiles& files, const HostWishes& wishes);

/// Knob "nmi_watchdog" to 0: an interrupt per CPU every few seconds, which also holds a performance counter.
KnobPlan plan_nmi_watchdog(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
