// What did one device do, and what did it do next after each time in which it did nothing?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/study/trace_events.h"
#include "diagnose/trace/launch_calls.h"
#include "diagnose/trace/trace_steps.h"
#include "stats/spans.h"

namespace stepgate {

/// A trace, what its account covers, and how calls and work belong together. All of them must outlive it.
struct TraceView {
  const TraceEvents& trace;
  const TraceSteps& steps;
  const LaunchCalls& calls;
};

/// A time in which the device did nothing.
struct DeviceGap {
  Span span;
  bool at_end = false;                 ///< nothing follows within its cycle
  const TraceEvent* launch = nullptr;  ///< starts the work after the gap; null at the end, or if the trace lacks it
};

/// Times of all cycles. Where several kinds of work ran side by side, the first has the time: only what is exposed
/// costs any.
struct DeviceTimeLine {
  std::int64_t kernels_ns = 0;    ///< kernels that compute
  std::int64_t exchanges_ns = 0;  ///< kernels that exchange data with other devices
  std::int64_t copies_ns = 0;     ///< copies and memsets
  std::int64_t idle_ns = 0;
  std::vector<double> launch_delays_ns;  ///< delay of each kernel after the end of its call
  std::int64_t kernel_count = 0;
  std::int64_t short_kernels = 0;  ///< shorter than short_kernel_ns
  std::int64_t pageable_copies = 0;
};

/// Below it TraceLens and this project call a kernel short: the host needs 5 to 10 us to launch the next.
inline constexpr std::int64_t short_kernel_ns = 10'000;

/// The device with most work in the cycles, as an index into device_ids; absent where none has any.
std::optional<std::uint16_t> busiest_device(const TraceEvents& trace, const TraceSteps& steps);

/// Calls `on_gap` for each gap, in order of time.
DeviceTimeLine device_line(const TraceView& view, std::uint16_t device,
                           const std::function<void(const DeviceGap&)>& on_gap);

}  // namespace stepgate
