// Do the counted batches have other lengths than those of the baseline?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code other-lengths, a warning beside any red: both histograms of lengths (core/record/batch_lengths.h) and what
/// padding takes. Work and time then differ because the batches do.
std::vector<Finding> explain_changed_lengths(const JudgedComparison& input);

}  // namespace stepgate
