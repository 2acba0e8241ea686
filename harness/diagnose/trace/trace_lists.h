// Names and events of a trace, as several parts of its account list them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/study/trace_events.h"

namespace stepgate {

/// Of each name whether it `fits`. A trace has thousands of names and millions of events, so each name is asked once.
template <typename Fits>
std::vector<bool> names_that(const TraceEvents& trace, const Fits& fits) {
  std::vector<bool> names;
  names.reserve(trace.names.size());
  for (const std::string& name : trace.names) names.push_back(fits(name));
  return names;
}

/// Indices of events; those that begin together stay in their order.
void sort_by_begin(const TraceEvents& trace, std::vector<std::uint32_t>& events);

}  // namespace stepgate
