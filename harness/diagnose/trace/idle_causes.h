// Why did a device do nothing? Each gap on its time line gets a cause from what the host did then.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/study/trace_events.h"
#include "diagnose/trace/device_line.h"
#include "diagnose/trace/trace_steps.h"
#include "stats/spans.h"

namespace stepgate {

/// Times by cause; they add up to that of all gaps.
struct IdleTimes {
  std::int64_t data_ns = 0;        ///< the host waited for data
  std::int64_t logging_ns = 0;     ///< the host logged
  std::int64_t host_ns = 0;        ///< the host did something else than operators and calls
  std::int64_t sync_ns = 0;        ///< the host had waited for the device, so nothing was queued
  std::int64_t launch_ns = 0;      ///< the host was busy and had not launched the next work yet
  std::int64_t kernel_gap_ns = 0;  ///< the next work was queued already; shorter than 10 us
  std::int64_t event_ns = 0;       ///< it was queued, and the device waited longer: for an event, a stream, a peer
  std::int64_t unknown_ns = 0;     ///< the trace lacks the call that launched the next work
};

class IdleCauses {
 public:
  /// `trace` and `steps` must outlive it.
  IdleCauses(const TraceEvents& trace, const TraceSteps& steps);

  void add(const DeviceGap& gap);
  const IdleTimes& times() const { return times_; }
  /// Calls in the cycles that wait for the device.
  std::int64_t waiting_calls() const { return waiting_calls_; }

 private:
  void find_waits();
  void add_host_gap(const DeviceGap& gap);
  std::int64_t logging_within(const Span& window) const;
  std::int64_t pause_within(const Span& window) const;
  bool waited_for(std::uint16_t thread, const Span& until_launch) const;

  const TraceEvents& trace_;
  const TraceSteps& steps_;
  Spans data_waits_;
  Spans loggings_;
  Spans pauses_;
  std::map<std::uint16_t, std::vector<std::uint32_t>> waits_;  ///< by thread: calls that wait for the device, by begin
  std::int64_t waiting_calls_ = 0;
  IdleTimes times_;
};

}  // namespace stepgate
