// What recording device events costs the host, and how often to record them (docs/design/measurement.md, "Marks and
// device events").
#pragma once

#include <cstdint>

#include "core/record/run_record.h"
#include "core/step_boundaries.h"
#include "measure/device/backend.h"

namespace stepgate {

/// The most that events may take of a step, in one window with another.
inline constexpr double most_event_share = 0.001;

/// The n for which every n-th window records events, so that their cost of `cost_ns` a step is at most
/// most_event_share of a step of `step_ns`. 1 if either is not positive.
std::int64_t marked_window_every(std::int64_t cost_ns, std::int64_t step_ns);

/// Measures the cost of one record and decides how often to record. Uses the events that a StepWindow has reserved;
/// call it between windows. `step_ns` is the wall time of a step with events.
EventCost measured_event_cost(Backend& backend, const StepBoundaries& boundaries, std::int64_t step_ns);

}  // namespace stepgate
