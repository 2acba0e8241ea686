// Which of the measured peaks are too low, since an operator of the step is faster?
#pragma once

#include <string>
#include <vector>

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

/// From this share of its roof on, a roof is too low: 5 % are left for the noise of two measurements.
inline constexpr double most_of_a_roof = 1.05;

/// One sentence for each peak that an operator exceeds, with the operator that exceeds it most. The cost of calls,
/// which is part of OperatorRow::roof_ns, does not count here.
std::vector<std::string> low_roofs(const std::vector<OperatorRow>& operators, const MachinePeaks& peaks);

}  // namespace stepgate
