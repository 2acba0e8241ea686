// The kinds of things that a process can hold more and more of, a row each. A new kind is a row here, its reader, and a
// row in core/catalogue/held_metrics.h.
#pragma once

#include <span>
#include <string_view>

#include "measure/passes/exact/held_sources.h"
#include "measure/passes/exact/held_things.h"

namespace stepgate {

struct HeldKind {
  std::string_view series;  ///< as in the catalogue
  HeldReading (*level)(HeldSources&);
  HeldThings (*things)(HeldSources&);  ///< by kind and name; nullptr where they have none
};

std::span<const HeldKind> held_kinds();

/// What an open descriptor leads to, by the text of its link in /proc/PID/fd: "socket", "pipe", "eventfd", "file",
/// "deleted file", ...; its name is a path, or "".
HeldThing descriptor_thing(std::string_view link);

}  // namespace stepgate
