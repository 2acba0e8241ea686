// What stepgate keeps of a chrome trace that PyTorch's profiler (Kineto) wrote: the events that an account of time
// needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

enum class TraceCategory : std::uint8_t {
  operator_call,  ///< host: an operator of the dispatcher or a node of autograd
  annotation,     ///< host: a range that the program or the profiler named, e.g. "ProfilerStep#7"
  runtime_call,   ///< host: a call of the CUDA runtime or driver
  kernel,         ///< device
  copy,           ///< device
  memset          ///< device
};

constexpr bool is_on_device(TraceCategory category) { return category >= TraceCategory::kernel; }

struct TraceEvent {
  std::int64_t start_ns = 0;  ///< on the clock of the trace
  std::int64_t duration_ns = 0;
  std::int64_t correlation = 0;  ///< joins a call with what it started on the device; 0 for none
  std::uint32_t name = 0;        ///< index into TraceEvents::names
  std::uint32_t thread = 0;      ///< for an event on the host: index into TraceEvents::threads
  std::int32_t device = 0;       ///< for an event on a device
  TraceCategory category = TraceCategory::operator_call;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};

struct TraceEvents {
  std::string source;              ///< file name
  std::vector<TraceEvent> events;  ///< in the order of the file
  std::vector<std::string> names;
  std::vector<std::string> threads;                  ///< "PROCESS/THREAD"
  std::map<std::int64_t, std::string> devices;       ///< device -> its model
  std::optional<std::int64_t> rank = std::nullopt;   ///< set for a process among several
  std::optional<std::int64_t> ranks = std::nullopt;  ///< how many
  std::int64_t other_events = 0;                     ///< events in categories that no account needs
  std::int64_t damaged_events = 0;                   ///< without time, or with a time that is not a number
  std::uint64_t text_bytes = 0;                      ///< after decompression

  const std::string& name_of(const TraceEvent& event) const { return names[event.name]; }
};

}  // namespace stepgate
