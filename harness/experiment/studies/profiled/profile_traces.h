// The chrome traces that a process of group profile leaves.
#pragma once

#include <filesystem>
#include <vector>

namespace stepgate {

/// A run that was stopped left traces in the folder of its processes.
void remove_older_traces(const std::filesystem::path& folder);

/// The files of a trace that are there, one for each cycle of the schedule. `first`: that of the first cycle.
std::vector<std::filesystem::path> traces_of(const std::filesystem::path& first);

}  // namespace stepgate
