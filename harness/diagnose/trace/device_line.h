// What did one device do within a span, and what did it do next after each time in which it did nothing?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/trace_events.h"
#include "stats/spans.h"

namespace stepgate {

/// A call on the host that started work of the device.
struct LaunchCall {
  Span span;
  std::uint32_t thread = 0;
};

/// A time in which the device did nothing.
struct DeviceGap {
  Span span;
  bool at_end = false;               ///< nothing follows within the span of the account
  std::optional<LaunchCall> launch;  ///< starts the work after the gap; absent at the end, or if the trace lacks it
};

struct DeviceTimeLine {
  Spans kernels;    ///< kernels that compute
  Spans exchanges;  ///< kernels that exchange data with other devices
  Spans copies;     ///< copies and memsets
  std::vector<DeviceGap> gaps;
  std::vector<double> launch_delays_ns;  ///< delay of each kernel after the end of its call
  std::int64_t kernel_count = 0;
  std::int64_t short_kernels = 0;  ///< shorter than short_kernel_ns
  std::int64_t pageable_copies = 0;
};

/// Below it TraceLens and this project call a kernel short: the host needs 5 to 10 us to launch the next.
inline constexpr std::int64_t short_kernel_ns = 10'000;

/// The device with most work within the span; absent where none has any.
std::optional<std::int32_t> busiest_device(const TraceEvents& trace, const Span& span);

DeviceTimeLine device_line(const TraceEvents& trace, std::int32_t device, const Span& span);

}  // namespace stepgate
