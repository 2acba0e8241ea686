// What does the thread that trains spend its time on? For traces without a device.
#pragma once

#include <cstdint>
#include <vector>

#include "core/study/trace_account.h"
#include "core/study/trace_events.h"
#include "diagnose/trace/trace_steps.h"

namespace stepgate {

/// The thread with the steps; without steps the one whose operators take longest. An index into TraceEvents::threads.
std::uint16_t training_thread(const TraceEvents& trace, const TraceSteps& steps);

/// Parts that add up to the cycles of `steps`, in the order of a step: ranges and operators by what their name stands
/// for (trace_names.h), then other operators, then the rest, in which no operator ran. Times of all cycles.
std::vector<AccountPart> host_parts(const TraceEvents& trace, const TraceSteps& steps);

}  // namespace stepgate
