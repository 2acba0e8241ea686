// Samples of one replicate to its timed metrics.
#pragma once

#include <string>

#include "core/record/evidence.h"
#include "core/record/run_record.h"
#include "judge/reduce/timed_values.h"

namespace stepgate {

/// The timed metrics of a record of group timed (docs/design/metrics.md, "From samples to values"): step_time_ns,
/// step_time_mean_ns, samples_per_s, steps_per_s, tokens per second, padding_ratio from the e2e pass; the boundaries
/// from the phase pass (median over steps of host time, the device synchronised at each boundary); synthetic_step_ns;
/// first_step_ns from warm-up; and the ratios stall = 1 - synthetic/step, sync_tax = sum of boundaries/step - 1.
/// Loader, copies, logging and gradient exchange: input_values.h. Where an inference case recorded requests, their
/// latencies (judge/requests/latency_values.h) stand in place of step times, effective tokens and loader supply.
/// Metrics that the record declares absent are not computed.
TimedValues timed_values(const RunRecord& record);

/// Adds the energy of a step and of a sample from what the launcher read beside the process, or why there is none.
void add_energy(const Evidence& evidence, const RunRecord& record, TimedValues& values);

/// step_time_ns of a record of group reference, under the name reference_step_ns.
TimedValues reference_values(const RunRecord& record);

/// Why no step of the e2e pass could be timed, where it has steps or windows and all of them are left out: each was the
/// first with its shape, or its window held a skipped update. Else "".
std::string why_nothing_timed(const RunRecord& record);

}  // namespace stepgate
