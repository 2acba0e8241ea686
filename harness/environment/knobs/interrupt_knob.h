// Keeps device interrupts away from the measured CPUs.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "interrupts". First it pauses the daemons named irqbalance, which would move interrupts back. Then it removes
/// the measured CPUs and the hardware threads beside them from the mask of future interrupts
/// (/proc/irq/default_smp_affinity) and from every /proc/irq/N/smp_affinity_list. An interrupt without any other online
/// CPU moves to the housekeeping CPUs, and stays if there are none. Some interrupts belong to one CPU for good: only
/// the write shows it (EIO).
KnobPlan plan_interrupts(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
