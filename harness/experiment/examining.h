// What `stepgate doctor` finds out, without changing anything.
#pragma once

#include "cli/options.h"
#include "core/study/doctor.h"

namespace stepgate {

/// Looks at this machine as a run with these options would find it. A build folder is not needed: without a manifest
/// one core is looked for. Knobs of a process are tried on one that ends at once; those of the host are only read.
DoctorReport examine(const Options& options);

}  // namespace stepgate
