// The operators of processes that were only counted, for a profile without times.
#pragma once

#include "core/record/measurement.h"

namespace stepgate {

/// What the processes of group exact saw of each operator, as processes of group profile would have told it: calls,
/// sizes, FLOPs, bytes and lines, and no times.
Measurement observed_while_counted(const Measurement& exact);

}  // namespace stepgate
