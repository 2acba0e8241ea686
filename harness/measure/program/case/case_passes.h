// Which passes a case runs.
#pragma once

#include <vector>

#include "core/pass.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// The passes of a group, in the order in which they run. Group reference runs e2e only.
std::vector<Pass> passes_of(Group group);
/// False for passes that a loop of the user's own cannot run (their metrics are absent with a reason, loop_facts.h),
/// and for an optional pass without steps.
bool can_run(const Case& test_case, Pass pass, const StepCounts& steps);

}  // namespace stepgate
