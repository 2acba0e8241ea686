// Does what the host runs rise with the number of the step?
#pragma once

#include <optional>

#include "diagnose/growth/growing_series.h"

namespace stepgate {

/// Host instructions of each counted step of the first process, where they clearly rise with the steps in all
/// processes, two or more: by the rule of counts (rises_with_steps), and from the first step to the last by more than
/// the margin of unchanged code. Their noise is a third of the margin at most, and eight values without a trend are in
/// rising order once in 8! = 40 320 times. Absent where a measured base rises half as much, or, without one, where the
/// counted batches differ in size.
std::optional<StepSeries> growing_instructions(const JudgedComparison& input);

}  // namespace stepgate
