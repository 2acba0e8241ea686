// Where a larger value of one parameter stops helping.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/study/sweep.h"
#include "judge/studies/sweep_pairs.h"

namespace stepgate {

struct KneeQuestion {
  const SweptParameter& parameter;
  std::size_t at = 0;    ///< its place in SweepSetting::values
  std::size_t best = 0;  ///< the best setting
};

/// Absent where a value is no number, or fewer than two values were ranked beside the best setting's others.
std::optional<Knee> knee_of(const KneeQuestion& question, const std::vector<SweepSetting>& settings,
                            const SweepPairs& pairs, const SweepRules& rules);

}  // namespace stepgate
