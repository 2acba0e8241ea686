// What the caller is told about device events that take too long to be recorded in every window.
#pragma once

#include <optional>

#include "core/record/measurement.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// nullopt where all windows of all processes recorded their device events, or the device has none.
std::optional<Notice> thinned_events(const Measurement& measurement);

}  // namespace stepgate
