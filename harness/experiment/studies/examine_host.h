// What `stepgate doctor` finds out about this machine, without changing anything.
#pragma once

#include "core/study/doctor.h"
#include "experiment/host/quiet_host.h"

namespace stepgate {

/// Looks at this machine as an experiment with these options would find it. Knobs of a process are tried on one that
/// ends at once; those of the host are only read. `settings` hold the choice of the GPU; the others are left to the
/// caller, who knows where each came from.
DoctorReport examine_host(const HostUse& use, const HostOptions& options);

}  // namespace stepgate
