// A process of a case that is started beside those that are judged: for the order of its work, or for stream hazards.
#pragma once

#include <string_view>

#include "core/record/measurement.h"

namespace stepgate {

/// Its failure, with `what` the process is in front of the message: "the process that looks for stream hazards". The
/// judged one is like it and has run, so that a device is missing now is no reason to skip the case. Kind
/// infrastructure says that a process was repeated and failed again, and such a process is not repeated. Pure.
ReplicateFailure failure_of_extra(ReplicateFailure failure, std::string_view what);

}  // namespace stepgate
