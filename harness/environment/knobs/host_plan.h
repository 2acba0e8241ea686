// Everything that host mode would set on this machine, except on its GPUs.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_change.h"

namespace stepgate {

/// Reads, and changes nothing. Knobs in the order of application: interrupts and partition first, since both say where
/// things may run; then governor, energy preference, limits and turbo, each of which can move the ones before it back;
/// then the kernel's own switches. Every knob appears, with changes or with one settled report. "cpu_idle" is settled
/// as `available` where it can be set.
///
/// Read it after a recovery, never before one: what a dead run left would be taken for the original.
KnobPlan plan_host_knobs(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
