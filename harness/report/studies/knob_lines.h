// The knobs of one mode on a terminal: one line each, and below a refused one its remedy.
#pragma once

#include <vector>

#include "core/host/knob.h"
#include "report/text/console_page.h"

namespace stepgate {

/// The knobs of `mode` in their order, aligned with those of the other modes in `knobs`. Adjacent knobs with the same
/// remedy share its line.
void add_knob_lines(const std::vector<KnobReport>& knobs, GuardMode mode, ConsolePage& page);

}  // namespace stepgate
