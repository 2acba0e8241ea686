// Which kind of event a category of a trace is, in the words of Kineto, of its forks for other devices, and of the
// profilers before it.
#pragma once

#include <optional>
#include <string_view>

#include "core/study/trace_events.h"

namespace stepgate {

struct TraceKind {
  std::optional<TraceCategory> category = std::nullopt;  ///< absent for events that no account reads
  bool known = false;  ///< of those: they show what other events show, or take no time of a thread or device
};

/// `category` is the cat of an event. One without a cat is told by its process.
TraceKind trace_kind(std::string_view category, std::string_view process);

}  // namespace stepgate
