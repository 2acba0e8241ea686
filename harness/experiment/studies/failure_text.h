// Why did a process fail, and how is it seen alone?
#pragma once

#include <optional>
#include <string>

#include "core/record/measurement.h"
#include "launch/emulated_device.h"

namespace stepgate {

/// The message, and what the process itself said last: "ended with status 1 after 0.5 s: max_length must be ...".
std::string failure_text(const ReplicateFailure& failure);

/// "stepgate run CASE --tier exact --device emulated:h100": runs that half of the case again, on the same GPU.
std::string run_again_text(const std::string& case_name, Group failed, const std::optional<EmulatedGpu>& emulated);

}  // namespace stepgate
