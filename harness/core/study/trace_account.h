// The result of `stepgate profile --trace`: what the steps of a recorded run spend their time on. Parts, steps and
// claims are those of profile.h; a trace alone proves nothing, so every claim is likely at best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/study/profile.h"

namespace stepgate {

/// What all events of one name took together: kernels and copies of the device, or operators without what they called.
struct TraceCost {
  std::string name;
  std::int64_t calls = 0;
  double ns = 0;     ///< time of one step
  double share = 0;  ///< share of the span; shares of events that ran side by side can add up to more than 1
};

/// Events of a trace that its account does not use.
struct UnusedEvents {
  std::string what;  ///< a category, or what is wrong with them
  std::int64_t events = 0;
  double ns = 0;  ///< their lengths
};

struct TraceAccount {
  std::string source;            ///< file name
  std::uint64_t text_bytes = 0;  ///< size of the trace, not compressed
  std::int64_t events = 0;       ///< how many were read
  bool on_device = false;        ///< the account is that of a device's time line, or else that of a thread
  std::string of = {};           ///< "device 0, NVIDIA A100", "thread 17/17"
  std::optional<std::int64_t> rank = std::nullopt;
  std::optional<std::int64_t> ranks = std::nullopt;
  std::int64_t steps = 0;                           ///< ranges named ProfilerStep#N; 0 for a trace without them
  StepStatistics step = {};                         ///< durations of these ranges on the host; all 0 without them
  double span_ns = 0;                               ///< what the account covers
  std::vector<AccountPart> parts = {};              ///< they add up to one step, or without steps to the span
  std::optional<double> busy_share = std::nullopt;  ///< for a device: share of time in which it did anything
  std::vector<BottleneckVerdict> bottlenecks = {};  ///< worth most first; empty where no part is above its threshold
  /// What the largest part means and what to look at, where no bottleneck is named after it; "" without steps.
  std::string largest = {};
  std::optional<double> launch_delay_ns = std::nullopt;  ///< median, from the end of a call to the begin of its kernel
  std::optional<double> short_kernels = std::nullopt;    ///< share of the kernels shorter than 10 us
  double host_syncs = 0;                                 ///< calls in one step that wait for the device
  double pageable_copies = 0;                            ///< in one step
  std::vector<TraceCost> costliest = {};                 ///< costliest first
  std::vector<UnusedEvents> not_needed = {};             ///< by category: other events show the same time
  std::vector<UnusedEvents> not_known = {};              ///< by category: no account knows what they are
  std::vector<UnusedEvents> left_out = {};               ///< by what is wrong with them
  std::vector<std::string> notes = {};                   ///< what a reader must know before the figures
};

}  // namespace stepgate
