// A GPU that ran at another clock than in the stored sessions: its times may follow the clock, and not the code.
#pragma once

#include "judge/interval/reference_check.h"

namespace stepgate {

/// The mean clock of the GPU in the current processes and in the stored sessions.
struct ClockCheck {
  enum class Outcome { still, moved, absent };
  Outcome outcome = Outcome::absent;
  double current_mhz = 0;
  double stored_mhz = 0;
  /// The largest part of a change of a time, on the log scale, that another clock can have made; 0 unless it moved.
  double explained = 0;
};

/// *Moved*: the two means differ by more than 1 %. The reference case need not show it: it has no work for the tensor
/// cores, and waits for memory more than a case may. Absent where a side has no clock: on a CPU, where the driver shows
/// none, and in sessions of older versions. *Explained*: work that only computes follows the clock in proportion, and
/// none does so more. The tolerance comes on top, and a higher clock counts like a lower one: it belongs to another
/// state of power or memory (docs/decisions/0060).
ClockCheck check_clock(const ReferenceSides& sides);

}  // namespace stepgate
