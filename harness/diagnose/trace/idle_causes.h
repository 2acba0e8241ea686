// Why did a device do nothing? Each gap on its time line gets a cause from what the host did then.
#pragma once

#include <cstdint>
#include <vector>

#include "core/study/trace_events.h"
#include "diagnose/trace/device_line.h"
#include "diagnose/trace/trace_steps.h"

namespace stepgate {

/// Times by cause; they add up to that of all gaps.
struct IdleTimes {
  std::int64_t data_ns = 0;        ///< the host waited for data
  std::int64_t logging_ns = 0;     ///< the host logged
  std::int64_t sync_ns = 0;        ///< the host had waited for the device, so nothing was queued
  std::int64_t launch_ns = 0;      ///< the host was busy and had not launched the next work yet
  std::int64_t kernel_gap_ns = 0;  ///< the next work was queued already; shorter than 10 us
  std::int64_t event_ns = 0;       ///< it was queued, and the device waited longer: for an event, a stream, a peer
  std::int64_t unknown_ns = 0;     ///< the trace lacks the call that launched the next work
};

IdleTimes idle_causes(const TraceEvents& trace, const TraceSteps& steps, const std::vector<DeviceGap>& gaps);

/// CallsByNumber within the span that wait for the device.
std::int64_t waiting_calls_in(const TraceEvents& trace, const Span& span);

}  // namespace stepgate
