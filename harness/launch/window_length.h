// How many steps a window needs, so that the clock and the synchronisation at its ends do not matter: short steps get
// longer windows. The launcher decides once per measurement, for all its processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/record/run_record.h"
#include "system/step_count_list.h"

namespace stepgate {

/// The least wall time of a window. Its two synchronisations of a GPU take up to 10 us each
/// (docs/design/measurement.md, "Reference figures"); they are 1 %, the default ignore margin, of this. On a CPU a
/// window has two readings of the clock of its own, 20 ns each.
inline constexpr std::int64_t least_window_ns = 2'000'000;

/// The highest factor: windows of 2 560 steps, 15 360 steps of the e2e pass. A record lists each step, so more would
/// make it larger than 2 MB. Steps below 0.8 us keep windows below the least time.
inline constexpr std::int64_t most_lengthening = 256;

/// The step counts of the passes that take times, each times the smallest power of two with which the windows of
/// `first` reach the least time. A power of two, because a step time is measured within some percent: neighbouring runs
/// then find the same counts. Absent where the windows are long enough, where the case declares other counts than the
/// defaults, and where `first` has no windows on the host clock.
std::optional<NamedSteps> lengthened_steps(const RunRecord& first);

/// The same factor read back from `timed_steps`, a fact of a baseline's key, so that a measurement stays comparable
/// with its baseline. Empty where the baseline has the default counts, or others than those times a factor.
NamedSteps steps_of_baseline(std::string_view timed_steps);

}  // namespace stepgate
