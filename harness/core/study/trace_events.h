// What stepgate keeps of a chrome trace that PyTorch's profiler (Kineto) wrote: the events that an account of time
// needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/study/recorded_operands.h"

namespace stepgate {

enum class TraceCategory : std::uint8_t {
  operator_call,  ///< host: an operator of the dispatcher or a node of autograd
  annotation,     ///< host: a range that the program or the profiler named
  step,           ///< host: a range "ProfilerStep#7"
  runtime_call,   ///< host: a call of the runtime or driver of a device
  kernel,         ///< device
  copy,           ///< device
  memset          ///< device
};

constexpr bool is_on_device(TraceCategory category) { return category >= TraceCategory::kernel; }

/// What may stand for a part of a step, by its name.
constexpr bool is_host_range(TraceCategory category) {
  return category == TraceCategory::operator_call || category == TraceCategory::annotation;
}

/// The number of a step whose range names none.
inline constexpr std::int64_t no_step_number = -1;

struct TraceEvent {
  std::int64_t start_ns = 0;  ///< on the clock of the trace
  std::int64_t duration_ns = 0;
  /// Joins a call with what it started on the device; 0 for none. Of a step: its number. Of an operator, where operands
  /// were read: their place in TraceEvents::operands, from 1 on.
  std::int64_t correlation = 0;
  std::uint32_t name = 0;   ///< index into TraceEvents::names
  std::uint16_t place = 0;  ///< on the host an index into TraceEvents::threads, on a device into device_ids
  TraceCategory category = TraceCategory::operator_call;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};
static_assert(sizeof(TraceEvent) == 32);  // the limit of memory in json/traces/trace_limits.h rests on it

/// Events that an account does not use.
struct EventTally {
  std::int64_t events = 0;
  double ns = 0;  ///< their lengths; of some the trace does not say one
};

struct TraceEvents {
  std::string source;             ///< file name
  std::deque<TraceEvent> events;  ///< in the order of the file; a vector would lie in memory twice while it grows
  std::deque<std::string> names;
  std::vector<std::string> threads;                   ///< "PROCESS/THREAD"
  std::vector<std::int64_t> device_ids;               ///< of devices with events
  std::map<std::int64_t, std::string> devices;        ///< device -> its model
  std::optional<std::int64_t> rank = std::nullopt;    ///< set for a process among several
  std::optional<std::int64_t> ranks = std::nullopt;   ///< how many
  std::map<std::string, EventTally> not_needed = {};  ///< by category: they show the time of other events once more
  std::map<std::string, EventTally> not_known = {};   ///< by category
  std::map<std::string, EventTally> left_out = {};    ///< by what is wrong with them
  std::uint64_t text_bytes = 0;                       ///< after decompression
  /// Each once. Empty where TraceLimits::operands is 0, or the trace was recorded without shapes.
  std::deque<RecordedOperands> operands = {};
  std::optional<std::int64_t> cuda_runtime_version = std::nullopt;  ///< as CUDA has it: 12040 for 12.4
  std::optional<std::int64_t> cuda_driver_version = std::nullopt;   ///< the newest CUDA that the driver knows

  const std::string& name_of(const TraceEvent& event) const { return names[event.name]; }
};

}  // namespace stepgate
