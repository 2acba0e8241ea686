// When did the host run something that no operator and no call of the device stands for?
#pragma once

#include "core/study/trace_events.h"
#include "diagnose/trace/trace_steps.h"
#include "stats/spans.h"

namespace stepgate {

/// Stretches in which no thread that launches work, nor that of the steps, ran an operator or a call: those of at least
/// a millisecond, and those from the begin of a step to its first operator or call. Between two operators Python needs
/// some ten microseconds, which belong to the launching of the next kernel; a hundred times that (own choice) is
/// another work of the host: data, a checkpoint, a collection of garbage. An operator that waits for data lies in a
/// pause, as a range that does. Empty where the trace has no operators.
Spans host_pauses(const TraceEvents& trace, const TraceSteps& steps);

}  // namespace stepgate
