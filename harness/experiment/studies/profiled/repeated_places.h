// Places of a profile as calls of the program, so that a process can find them on its stack.
#pragma once

#include <vector>

#include "core/record/measurement.h"
#include "core/record/observed_work.h"
#include "core/repeated_place.h"
#include "core/study/profile.h"
#include "launch/source_lines.h"

namespace stepgate {

/// Clean processes of group profile that observed steps.
std::vector<const ProfileRun*> observing_runs(const Measurement& profile);

/// The offsets of each place among those that `work` saw: calls whose frames hold its line, or its function. A place
/// that none of them calls is left out. Reads the program's lines; throws nothing of its own.
std::vector<RepeatedPlace> repeated_places(const std::vector<CallCost>& places, ObservedWork work,
                                           const SourcePlace& program);

}  // namespace stepgate
