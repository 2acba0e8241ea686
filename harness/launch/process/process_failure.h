// Explains why a process gave no usable record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/process_place.h"
#include "core/record/measurement.h"
#include "launch/process/child_process.h"

namespace stepgate {

/// A perftest program exits with this status where a device or its data is missing (CTest's "skipped").
inline constexpr int missing_here_status = 77;

/// Absent where the process ended by itself with status 0. `output_tail` is left empty. `places` are those that its
/// ranks noted (PlacePage::places()); a crash and a hang name them.
std::optional<ReplicateFailure> process_failure(const ProcessResult& result, const ProcessRequest& request,
                                                const std::vector<ProcessPlace>& places = {});

/// "SIGSEGV", or the number where it has no name.
std::string signal_name(int number);

}  // namespace stepgate
