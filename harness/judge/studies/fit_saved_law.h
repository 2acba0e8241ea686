// The exact law of saved bytes: integers that reproduce every measured step, or the reason why there are none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/study/saved_law.h"

namespace stepgate {

/// The counted steps of one process. Throws Error(measure) where it counted no saved bytes, has no tokens, or rows of
/// unequal length, saying which.
std::vector<SavedStep> saved_steps(const RunRecord& record);

/// Pure. Solves for the coefficients and takes them only if they are integers that give the bytes of every step to the
/// byte. It tries per_token, growth and fixed first, then per_row, and only then what rows share. The last two can be
/// told from the rest only by rows of several numbers.
SavedLawFit fit_saved_law(const std::vector<SavedStep>& steps);

}  // namespace stepgate
