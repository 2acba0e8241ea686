// Ranks the settings of a sweep: the best, those that cannot be distinguished from it, and where more stops helping.
#pragma once

#include <vector>

#include "core/study/sweep.h"
#include "judge/studies/sweep_rules.h"

namespace stepgate {

/// Pure. The unit is the logarithm of the metric in one fresh process; x(s, r) is that of setting s in round r, with
/// its sign turned where higher is better, so that larger is worse.
/// - Best: the smallest mean of x over the rounds that every ranked setting has (its own rounds if there is none).
/// - Against the best b: d(r) = x(s, r) - x(b, r) over the rounds that have both, mean and paired t interval
///   (stats/mean_interval.h) at 1 - (1-level)/(K-1) for K ranked settings: Bonferroni. `behind` if the lower bound is
///   above zero, `unknown` without an interval or with one of 100 percent points, else `within_noise`. The truly best
///   setting is `behind` with a probability of at most 1-level, although the same data selected b: this happens only if
///   b beats it, and there are K-1 comparisons with it (the argument of Hsu, "Constrained simultaneous confidence
///   intervals for multiple comparisons with the best", Annals of Statistics 12 (1984)). The sizes of the losses are
///   biased in favour of b.
/// - A setting's own interval: t at `level` over its own rounds, without a correction, because it only describes.
/// - Knee of a parameter whose values are all numbers: among settings that differ from the best in it alone, the
///   smallest value that is the best, not behind it, or behind by less than margins.ignore; then the best of the larger
///   values against it, paired as above.
SweepRanking rank_settings(const std::vector<SweptParameter>& parameters, const std::vector<SweepSetting>& settings,
                           const SweepRules& rules);

}  // namespace stepgate
