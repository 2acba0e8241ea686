// What would a mend win? Ranked by the time that it can win.
#pragma once

#include <vector>

#include "core/study/profile.h"

namespace stepgate {

/// From the experiments, the kinds of bottleneck and the operators of `profile`. Sorted by worth; what was refuted
/// comes last, with worth 0, because people would try it. Advice below `ignore_margin` that is not refuted is left out.
std::vector<Advice> advice_for(const Profile& profile, double ignore_margin);

}  // namespace stepgate
