// What do the steps of a recorded run spend their time on?
#pragma once

#include "core/study/trace_account.h"
#include "core/study/trace_events.h"

namespace stepgate {

/// The account of the busiest device's time line, or, where no device did anything, of the thread that trains. The
/// parts add up to the span. Events that cannot have happened are left out and counted. Throws Error(usage) where the
/// events that are left have no extent in time.
TraceAccount account_of_trace(TraceEvents trace);

}  // namespace stepgate
