// Which mode of an emulated GPU a case needs, by its processes in counts mode.
#pragma once

#include "core/record/measurement.h"
#include "core/study/case_modes.h"

namespace stepgate {

/// Pure. A case without a usable record of group exact is unknown: nothing is taken for granted.
CaseMode needed_mode(const Measurement& measurement);

}  // namespace stepgate
