// A GPU that ran at another clock than in the stored sessions: its times say nothing about the code.
#pragma once

#include "judge/interval/reference_check.h"

namespace stepgate {

/// The mean clock of the GPU in the current processes and in the stored sessions.
struct ClockCheck {
  enum class Outcome { still, moved, absent };
  Outcome outcome = Outcome::absent;
  double current_mhz = 0;
  double stored_mhz = 0;
};

/// *Moved*: the two means differ by more than 1 %. The reference case need not show it: it has no work for the tensor
/// cores, and waits for memory more than a case may. Absent where a side has no clock: on a CPU, where the driver shows
/// none, and in sessions of older versions.
ClockCheck check_clock(const ReferenceSides& sides);

}  // namespace stepgate
