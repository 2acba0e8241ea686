// The report of a knob from its changes: a governor is one file per policy, interrupts are hundreds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "core/host/knob_change.h"

namespace stepgate {

struct AppliedChange {
  KnobChange change;
  int error = 0;                     ///< errno of applying it
  std::optional<std::string> after;  ///< what it reads back as; absent: cannot be read
};

/// One report per knob, in the order of first appearance. A knob is achieved if at least one of its changes is and
/// none reads back otherwise. Interrupts that belong to one CPU for good (EIO) are counted in the reason. Pure.
std::vector<KnobReport> knob_reports(const std::vector<AppliedChange>& changes);

}  // namespace stepgate
