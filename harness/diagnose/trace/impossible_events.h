// Which events of a trace cannot have happened? Profilers write kernels of fifty years, copies at time 0, and work that
// began before anybody asked for it.
#pragma once

#include "core/study/trace_events.h"

namespace stepgate {

/// Takes impossible events out and counts them in TraceEvents::left_out, by what is wrong with them.
void leave_out_impossible(TraceEvents& trace);

}  // namespace stepgate
