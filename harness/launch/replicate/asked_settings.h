// Whether the measured process still had, at its end, the settings that the launcher asked for.
#pragma once

#include <optional>
#include <vector>

#include "core/host/knob.h"
#include "core/record/measurement.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// The first setting that the program changed, named with both values; absent where none is. So the key of a
/// measurement holds what was asked for, and no baseline can be made of anything else. `knobs`: of this process. A fact
/// that the record lacks is not compared: a program of another version may not record it. Pure.
std::optional<ReplicateFailure> changed_setting(const RunRecord& record, const ReplicateRequest& request,
                                                const std::vector<KnobReport>& knobs);

}  // namespace stepgate
