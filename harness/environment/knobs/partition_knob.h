// CPUs for measured processes alone: a cgroup v2 cpuset partition.
#pragma once

#include <string>

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "partition". Below the root of the cgroup v2 mount (/sys/fs/cgroup, or /sys/fs/cgroup/unified beside v1) it
/// switches the cpuset controller on and makes the folder "stepgate". Into that it writes the measured CPUs with the
/// hardware threads beside them, their memory nodes, exclusiveness if this kernel knows it, and last the kind of
/// partition, which may read back as "... invalid (reason)".
///
/// One measured CPU becomes an "isolated" partition, without load balancing and without the kernel's own unbound work.
/// Several become a "root" partition, which is as exclusive and balances within itself. In an isolated one each new
/// thread stays on the CPU of the thread that made it, so that a thread pool would share one CPU.
///
/// `already` inside somebody else's partition; `unsupported` with cgroup v1 only, inside a container's own cgroup root,
/// or if no CPU would be left to everything else; `denied` if the mount may not be written.
KnobPlan plan_partition(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
