// Which places of the user's code cost so much that running their operator calls twice shows something?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

/// With more, the blocks in which their calls run twice would take longer than all other experiments of a profile.
inline constexpr std::size_t most_repeated_places = 8;

/// Pure. A place is a line of the user's code or a function, where no line is known a function. To it belongs every
/// operator that has it anywhere on its stack, and operators of backward by their forward operator. `observed` is the
/// self time of all these operators / time of the observed steps, mean over the processes that observed steps, at most
/// 1: workers of a loader may take longer than the step. `at`, `name`, `observed`, its range and `most_overshoot` are
/// filled, nothing else.
///
/// Left out are places below 3 % of the step, callers above 50 % of it, and those of more than 90 % of the operators'
/// time beside data_wait, which call the whole step. Of places that have the same operators (the common time is at
/// least 90 % of the time of both together) the innermost one stays, and the line rather than its function.
///
/// Chosen are at most most_repeated_places, each kind by time:
///   leaf places  innermost frame for more than half of their time. If one line is more than 80 % of its function, the
///                line stands for it.
///   parts        two places, before the callers, that are less than half of the optimizer or of logging: its
///   experiment
///                tells the sum of all
///   callers      three of them, more where there are too few leaf places
///   wholes       places that are most of the optimizer or of logging, which other experiments take away, and those of
///                data_wait, after all others; a loader's worker runs on a thread of its own anyway
/// Names are unique, and none is that of another block of such a process (core/repeated_place.h).
std::vector<CallCost> costly_places(std::span<const ProfileRun* const> runs);

}  // namespace stepgate
