// Why a case was skipped, as one sentence that is the same for all cases that lack the same device.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// What the program itself said is missing ("no CUDA device is visible to this process"), where it said so; else the
/// message of the first process that failed, else the detail of the verdict.
std::string skip_reason(const Outcome& outcome);

}  // namespace stepgate
