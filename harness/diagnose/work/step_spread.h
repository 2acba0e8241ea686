// In which of the counted steps does a counter differ, and by how much in each of them?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

struct StepSpread {
  std::size_t counted = 0;
  std::size_t affected = 0;  ///< steps in which the two sides differ
  std::size_t first = 0;     ///< the first of them
};

/// How an exact metric differs over the steps. Absent if a side lacks it, or if the sides counted other numbers of
/// steps.
std::optional<StepSpread> step_spread(const JudgedComparison& input, const std::string& metric);

/// ", in every counted step" or ", in 2 of 8 counted steps (first: step 3)"; "" where none differs or nothing is known.
std::string affected_steps(const std::optional<StepSpread>& spread);

/// How means over all counted steps are said as whole numbers: multiply by `factor`, and say `per` behind them.
struct WholeAmounts {
  double factor = 1;
  std::string per = " per step";
};

/// +6.5 in the mean of 8 steps is +13 per step where 4 of them differ, and else "+52 in 8 steps". Means that are whole
/// in every step stay as they are.
WholeAmounts whole_amounts(const std::vector<double>& means, const std::optional<StepSpread>& spread);

}  // namespace stepgate
