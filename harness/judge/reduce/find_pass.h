// A timed pass of a record, and whether its steps or its windows are timed.
#pragma once

#include "core/record/run_record.h"

namespace stepgate {

/// The pass of that name; null if it did not run.
const TimedPass* find_pass(const RunRecord& record, Pass pass);

/// True if a pass is timed by its steps. Otherwise it is timed by its windows: on an asynchronous device the host's
/// time per step is only the time to enqueue it.
bool timed_by_step(const TimedPass& pass);

}  // namespace stepgate
