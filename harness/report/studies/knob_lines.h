// The knobs of one mode on a terminal: a line each, what would allow a refused one below it.
#pragma once

#include <vector>

#include "core/host/knob.h"
#include "report/text/console_page.h"

namespace stepgate {

/// The knobs of `mode` in their order, aligned with those of the other modes in `knobs`. Neighbours with the same
/// remedy share one line of it.
void add_knob_lines(const std::vector<KnobReport>& knobs, GuardMode mode, ConsolePage& page);

}  // namespace stepgate
