// Which kernels or operators take most of the time?
#pragma once

#include <cstdint>
#include <vector>

#include "core/study/trace_account.h"
#include "core/study/trace_events.h"
#include "diagnose/trace/trace_steps.h"

namespace stepgate {

/// Kernels, copies and memsets of the device (an index into device_ids) by total time within the cycles, costliest
/// first; times of all cycles.
std::vector<TraceCost> device_costs(const TraceEvents& trace, std::uint16_t device, const TraceSteps& steps);

/// Operators of the thread that trains by self time, which is theirs without that of the operators that they call.
std::vector<TraceCost> operator_costs(const TraceEvents& trace, const TraceSteps& steps);

}  // namespace stepgate
