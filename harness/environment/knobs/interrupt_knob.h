// Device interrupts, kept away from the CPUs that are measured on.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "interrupts". First the daemons named irqbalance are paused, which would move interrupts back; then the mask of
/// interrupts yet to come (/proc/irq/default_smp_affinity) and every /proc/irq/N/smp_affinity_list that names a
/// measured CPU or the hardware thread beside one lose those CPUs. Where nothing online is left to an interrupt it goes
/// to the housekeeping CPUs; without such it stays. Which ones the kernel nails to a CPU shows only on writing (EIO).
KnobPlan plan_interrupts(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
