// Why did a process fail?
#pragma once

#include <string>

#include "core/record/measurement.h"

namespace stepgate {

/// The message, and what the process itself said last: "ended with status 1 after 0.5 s: max_length must be ...".
std::string failure_text(const ReplicateFailure& failure);

}  // namespace stepgate
