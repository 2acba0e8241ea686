// Everything that a profile says, from the processes that were run for it: what a step spends its time on, what limits
// it, how sure that is, and what a mend would win.
#pragma once

#include <string>

#include "core/record/measurement.h"
#include "core/study/profile.h"
#include "diagnose/profile/step/profile_input.h"

namespace stepgate {

/// Pure. Fills everything but processes, seconds, interrupted and files, which the caller knows. If the baseline is
/// discarded (no clean process) or unsteady, `stopped` says why and nothing is concluded from times: no account, no
/// experiments, no costs of calls, no kinds. What needs no quiet machine is there: operators, census, memory,
/// checklist, and the advice that rests on them. Operators of disturbed processes are used where none is clean, and
/// `absent` says so; without any process of group profile that ran, operators and peaks are in `absent`. Throws nothing
/// of its own.
Profile profile_case(const ProfileInput& input);

/// Why no phase after the baseline may run: "" if they may. The caller asks before it starts their processes.
std::string why_stopped(const Measurement& timed);

}  // namespace stepgate
