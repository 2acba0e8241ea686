// What would a mend win? Ranked by how sure that is, then by the time that it can win.
#pragma once

#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/advice_input.h"

namespace stepgate {

/// From the experiments, the kinds of bottleneck, the operators, the places whose calls ran twice, and the patterns of
/// costly work (diagnose/patterns/pattern.h), with their lines: likely to win what their operators take; predicted,
/// where a process replayed the written and the mended form, to win the part that the mended form saves. Proven is only
/// what an experiment tried, or could only be won by taking away what it took away; other mends of a proven kind are
/// likely. Sorted by rank_of(proof), then worth; what was refuted comes last, with worth 0, because people would try
/// it. Advice below the margin that is not refuted is left out.
std::vector<Advice> advice_for(const AdviceInput& input);

}  // namespace stepgate
