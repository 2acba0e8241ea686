// Checks that a run record is the one that was asked for. A perftest program may be wrong about that.
#pragma once

#include <optional>

#include "core/record/measurement.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// Absent where the record is usable. wrong_case where case, group, seed, replicate, steps or GPU are not those of
/// the request, naming both; bad_record where a pass of the group is missing or has no steps. Pure.
std::optional<ReplicateFailure> record_problem(const RunRecord& record, const ReplicateRequest& request);

}  // namespace stepgate
