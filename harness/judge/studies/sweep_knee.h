// The value of a parameter above which it stops helping.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/study/sweep.h"
#include "judge/studies/sweep_pairs.h"

namespace stepgate {

struct KneeQuestion {
  const SweptParameter& parameter;
  std::size_t at = 0;    ///< its index in SweepSetting::values
  std::size_t best = 0;  ///< the best setting
};

/// Absent if a value is not a number, or if fewer than two values were ranked with the best setting's other values.
std::optional<Knee> knee_of(const KneeQuestion& question, const std::vector<SweepSetting>& settings,
                            const SweepPairs& pairs, const SweepRules& rules);

}  // namespace stepgate
