// In which order variants of the step take turns, step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepgate {

struct TurnPlan {
  std::size_t variants = 0;
  std::int64_t steps = 0;   ///< of each variant
  std::int64_t window = 1;  ///< the work of a step repeats after so many: sizes of batches, what logging does
};

/// Pure. Indices of variants, one for each step. Each has `steps` of them, and each place in a window equally often (a
/// Latin square) if `steps` is a multiple of `window`: variants whose batches differ in size cannot be compared.
std::vector<std::size_t> turns_of_round(const TurnPlan& plan);

}  // namespace stepgate
